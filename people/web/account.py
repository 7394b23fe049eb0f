from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import Refused
from people.http import Request
from people.models import ApiToken
from people.operations import tokens, users
from people.web.forms import ProfileForm, TokenForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: Request) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method != "POST" or not form.is_valid():
        status = 422 if form.errors else 200
        return render(request, "people/me.html", {"form": form}, status=status)
    user = users.update_profile(
        user_id=request.user.pk, by=request.user, at=timezone.now(), **form.cleaned_data
    )
    translation.activate(user.language)
    messages.success(request, _("Saved."))
    response = redirect("people:me")
    response.set_cookie(settings.LANGUAGE_COOKIE_NAME, user.language, samesite="Lax")
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def token_list(request: Request) -> HttpResponse:
    form = TokenForm(request.POST or None, user=request.user)
    if request.method != "POST" or not form.is_valid():
        return _tokens(request, form, status=422 if form.errors else 200)
    try:
        token, secret = tokens.create(
            user_id=request.user.pk,
            name=form.cleaned_data["name"],
            scopes=form.cleaned_data["scopes"],
            by=request.user,
            at=timezone.now(),
        )
    except Refused as refusal:
        return _tokens(request, form, status=refusal.status, refusal=refusal)
    response = _tokens(request, TokenForm(user=request.user), made=token, secret=secret)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def token_revoke(request: Request, pk: int) -> HttpResponse:
    tokens.revoke(token_id=pk, by=request.user, at=timezone.now())
    return redirect("people:tokens")


def _tokens(request: Request, form: TokenForm, *, status: int = 200, **extra: Any) -> HttpResponse:
    own = ApiToken.objects.filter(user=request.user).order_by("revoked_at", "-created_at")
    context = {"tokens": own, "form": form, **extra}
    return render(request, "people/tokens.html", context, status=status)
