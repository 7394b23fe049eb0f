from django.urls import path

from warroom.web import actions, board, lists, rooms

app_name = "warroom"
urlpatterns = [
    path("", board.board, name="board"),
    path("board/incidents/", board.incidents_panel, name="board-incidents"),
    path("board/tiles/", board.tiles, name="board-tiles"),
    path("board/for-you/", board.for_you, name="board-for-you"),
    path("incidents/", lists.incidents, name="incidents"),
    path("incidents/declare/", lists.declare, name="declare"),
    path("incidents/<int:number>/", rooms.room, name="incident"),
    path("incidents/<int:number>/head/", rooms.head, name="head"),
    path("incidents/<int:number>/people/", rooms.people, name="people"),
    path("incidents/<int:number>/damage/", rooms.damage, name="damage"),
    path("incidents/<int:number>/timeline/", rooms.timeline, name="timeline"),
    path("incidents/<int:number>/ask/<slug:action>/", actions.ask, name="ask"),
    path("incidents/<int:number>/do/<slug:action>/", actions.do, name="do"),
    path("m/<int:number>/", rooms.phone, name="phone"),
    path("m/<int:number>/card/", rooms.phone_card, name="phone-card"),
]
