"""A fleet like the one that ships for demonstrations, as the engine sees it."""

from alerts.correlation import Job, Node, Service, Supernode, Topology


def _region(supernode: int) -> str:
    return "ulanqab" if supernode < 17 else "shanghai"


def _names(first: int, last: int) -> frozenset[str]:
    return frozenset(f"sn{n:02d}" for n in range(first, last + 1))


def demo_fleet() -> Topology:
    """32 supernodes of 48 nodes; pt-vl and sft-14b are known to nobody, as in the shipped demo."""
    numbers = range(1, 33)
    return Topology.build(
        supernodes=[
            Supernode(f"sn{s:02d}", f"{_region(s)}/sn{s:02d}", _region(s), 48) for s in numbers
        ],
        nodes=[
            Node(
                name=f"sn{s:02d}-n{n:02d}",
                path=f"{_region(s)}/sn{s:02d}/sn{s:02d}-n{n:02d}",
                region=_region(s),
                supernode=f"sn{s:02d}",
                rack=f"R{s:02d}-{(n - 1) // 4 + 1:02d}",
                spare=s == 32,
                addresses=(f"10.{s}.0.{n}",),
            )
            for s in numbers
            for n in range(1, 49)
        ],
        services=[
            Service("pfs-ulq-01", "ulanqab/service:pfs-ulq-01", "ulanqab"),
            Service("ckpt-ulq", "ulanqab/service:ckpt-ulq", "ulanqab"),
            Service("pfs-sha-01", "shanghai/service:pfs-sha-01", "shanghai"),
        ],
        jobs=[
            Job(
                "pt-moe-700b-0318",
                "ulanqab",
                _names(1, 16),
                cards=6144,
                ranks=12288,
                services=frozenset({"pfs-ulq-01", "ckpt-ulq"}),
            ),
            Job(
                "pt-dense-135b-0311",
                "shanghai",
                _names(17, 24),
                cards=3072,
                ranks=6144,
                services=frozenset({"pfs-sha-01"}),
            ),
            Job("sft-32b-0316", "shanghai", _names(25, 28), cards=1536),
        ],
    )
