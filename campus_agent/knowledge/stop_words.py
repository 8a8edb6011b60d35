"""Small lists of words that say nothing about what a question is about.

They are written without accents, as the words are that they are compared with. A longer list is no better in
measurements, and costs the questions that are made of such words only.
"""

from __future__ import annotations

_ENGLISH = """
    a about am an and any are as at be been but by can could did do does doing don for from had has have he how i if
    in into is it its me my next of on or our please s shall she should so some t tell than that the their them then
    there these they this those to was we were what whats when where which who whom whose why will with would you your
"""

_OTHERS = {
    "spanish": """
        a al algun alguna como con cual cuales cuando cuanto de del desde donde e el ella en es esta estan este esto
        hay la las lo los me mi o para pero por puede puedo que quien se si son su sus tu un una y yo
    """,
    "french": """
        a au aux avec c ce ces cet cette comment d dans de des du elle en est et etre il ils j je l la le les leur m
        ma mes mon n ne nous on ou par pas peut peux pour qu quand que quel quelle quelles quels qui s sa se ses son
        sont sur t un une vous y
    """,
    "german": """
        als am an auf aus bei bin bis bitte das dem den der des die du durch ein eine einem einen einer er es fur gibt
        hat ich ihr im in ist kann man mein mich mir mit nach oder sich sie sind so um und uns vom von wann warum was
        welche welcher welches wenn wer wie wir wird wo zu zum zur
    """,
    "italian": """
        a ai al alla alle c che chi ci come con cosa cui da dal dalla dei del della delle di dove e gli ha ho i il in
        io l la le lo ma mi nel nella o per posso puo quale quali quando quanto se si sono su sul tu un una uno
    """,
    "portuguese": """
        a ao aos as com como da das de do dos e ela ele em eu foi ha isso me meu minha na nas no nos o onde os ou para
        pela pelo pode por posso qual quais quando quanto que quem se sao seu sua um uma voce
    """,
    "romanian": """
        a ai al ale am are as au ca care ce cel cine cu cum cand cat de din e ea el este eu fi in la le lui ma mai mi
        nu o pe pentru poate pot prin s sa se si sunt un una unde unei unui va
    """,
    "dutch": """
        aan als bij dan dat de den der die dit door een en er ge het hij hoe ik in is je kan kun maar me met mijn naar
        of om ons ook op te tot uit van voor waar wanneer wat we welke wie wij worden zijn
    """,
}

_ASKING = {
    "english": """
        activities activity after again ago already also always another anything around away back before currently date
        dates day days detail details during early event events every everything exactly explain far find first get give
        going gone happen happened happening happens hear help here hour hours info information just kind know last late
        left like list located location long look looking lot make many month more most much must name names need never
        next not now number numbers often only other out over place possible provide question right same see someone
        something somewhere soon still such take takes than then time times today together tomorrow tonight too
        understand until us use used very want week weekend year
    """,
    "german": """
        aber alle alles also ander andere anderen anders auch bald bekomme bekommen bereits besser bestimmt brauche
        brauchen bring bringen da dafur damit danach dann darf daten datum davon dazu denn dir dort drin durfen
        eigentlich einfach etwas euch euer eure finde finden findet frage fragen fruh fruher ganz geben gehe gehen geht
        genau gerade gern geschieht gestern gleich habe haben heissen heisst heute hier hilf immer information
        informationen infos irgendwas irgendwo jede jeden jeder jedes jemand jetzt kannst kein keine keinen kenne kennst
        komme kommen kommt konnen konnte konnten kriege kriegen lang lange liegen liegt liste mache machen macht mal
        manchmal mehr meine meinen meiner mindestens minuten mochte monat morgen muss mussen musst nachste nachsten
        nachster nachstes nacht nahe name namen nenne nennen nicht nichts noch nummer nun nur ob oft ort orte passiert
        sag sagen schnell schon sehen sehr seit selbst soll sollen sollte spat spater stunde stunden suche suchen tag
        tage tagen uber uberhaupt uhr uhrzeit uhrzeiten unser unsere viel viele vielen vielleicht vor vorher wann weiss
        weit weiter welchem welchen wenig wenn werde werden weshalb wessen wieder wieso wieviel will willst wirklich
        wissen woche wochen wochenende woher wohin wollen wurde wurden zeig zeige zeigen zeit zeiten zuerst zusammen
    """,
    "spanish": """
        ademas ahi ahora algo alguien algunas algunos alli anoche antes aqui asi aun aunque ayer ayudame busca buscar
        busco cada casi cerca conocer conozco cosa cosas cuales cuanta cuantas cuantos dame dar dato datos debe debemos
        deben debo decir decirme dentro deseo despues dia dias dime dispone donde entonces entre era esa ese eso esos
        estas este estos estoy exactamente fecha fechas fue haber hace hacen hacer hago hasta hora horas hoy igual
        informacion ir jamas lejos lista llama llamo luego lugar lugares manana mas mejor menos mes meses mias minutos
        mio mios mis misma mismo momento mucha muchas mucho muchos muy nada nadie necesita necesito ni ningun ninguna no
        nombre nombres nos nosotros numero nunca ocurre otra otras otro otros pasa pasar poco podemos poder podria
        posible pregunta preguntar pronto proxima proximo pudo puedes queda quedan quienes quiere quiero quisiera saber
        sabes se sea semana semanas ser sera si siempre sitio sobre solo soy suele tal tambien tampoco tan tanto tenemos
        tener tengo tiempo tiene tienen toda todas todavia todo todos usar uso va vamos van veces ver vez voy ya
    """,
}


def listed_languages() -> tuple[str, ...]:
    """Return the languages that have a list of stop words."""
    return ("english", *_OTHERS)


def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of `language`, a Snowball name; none for a language without a list."""
    return frozenset((_ENGLISH if language == "english" else _OTHERS.get(language, "")).split())


def asking_words(language: str) -> frozenset[str]:
    """Return the words that ask for a value rather than name a thing: "what time", "how many days", "which place".

    A passage answers them with "5 PM" or "room 204" and seldom says the word itself. So they count where a base has
    them, and where it has not, that is no sign that something is missing.
    """
    return frozenset(_ASKING.get(language, "").split())
