"""The Lessons page in AppTest: the list, every lesson of the explorer, guesses, links, a broken file."""

import re
import shutil
from pathlib import Path

import pytest

from pages.parts.lessons.cards import cropped
from pages.parts.lessons.engine import PageEngine
from pages.shared.jobs import all_jobs, forget_jobs
from tests.app import opened
from wombat_core.drawing.depiction import depict
from wombat_core.explainers.registry import explainer_class
from wombat_core.lessons.check import check
from wombat_core.lessons.engine import Engine
from wombat_core.lessons.handout import handout
from wombat_core.lessons.reader import FOLDER, lesson_files, read_lesson
from wombat_core.molecules import from_smiles

OWN = Path(__file__).parent / "data" / "lessons"
ALL = lesson_files(FOLDER)


class Patient(PageEngine):
    """The page's engine, which waits for explainers that take long."""

    def answer(self, situation, name):
        asked = Engine if explainer_class(name).expensive else PageEngine
        return asked.answer(self, situation, name)


@pytest.fixture
def own_lessons(monkeypatch):
    monkeypatch.setenv("WOMBAT_LESSONS", str(OWN))


def at(lesson: str = "", step: int = 1, revealed: bool = False, **params: str):
    """The page at a place, without an exception."""
    place = {"lesson": lesson, "step": str(step), "revealed": str(int(revealed))}
    return opened("lessons", **{name: text for name, text in place.items() if text not in ("", "0")}, **params)


def address(app) -> dict[str, str]:
    """The parameters of the address."""
    return {name: text if isinstance(text, str) else text[-1] for name, text in dict(app.query_params).items()}


def texts(app) -> str:
    return "\n".join(element.value for kind in ("markdown", "caption", "subheader") for element in app.get(kind))


def test_there_are_twelve_lessons():
    assert [int(path.name[:2]) for path in ALL] == list(range(1, 13))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_every_number_of_a_lesson_can_be_computed_and_every_step_renders(path):
    lesson = read_lesson(path)
    assert check(lesson, Patient()) == []
    assert 5 <= lesson.minutes <= 10
    app = None
    for number, revealed in lesson.places:
        app = app or at(lesson.name)
        app.query_params["step"], app.query_params["revealed"] = str(number), str(int(revealed))
        app.run()
        assert not app.exception
        assert [error.value for error in app.error] == []
        assert [warning.value for warning in app.warning] == []
        assert "{{" not in texts(app)
        assert any(lesson.steps[number - 1].title in one.value.replace("\\", "") for one in app.subheader)
        for job in all_jobs():
            job.stop()  # what the check has computed need not be computed again


def test_every_lesson_has_a_handout():
    for path in ALL:
        lesson = read_lesson(path)
        text = handout(lesson, PageEngine())
        assert all(f'id="step-{number}"' in text for number in range(1, len(lesson.steps) + 1))
        assert "cannot be computed" not in text


def test_the_list_has_titles_times_and_the_broken_lesson_with_its_reason(own_lessons):
    app = at()
    titles = [button.label for button in app.button]
    assert "A small lesson" in titles and "Every view" in titles
    assert "5 minutes · 3 steps" in texts(app)
    said = texts(app).replace("\\", "")
    assert "cannot be shown" in said and "03-broken.md, line 11: There is no explainer 'salience'" in said


def test_a_lesson_is_opened_from_the_list(own_lessons):
    app = at()
    next(button for button in app.button if button.label == "A small lesson").click().run()
    assert not app.exception
    assert address(app)["lesson"] == "01-small"
    assert "step 1 of 3" in texts(app)


def test_a_broken_lesson_says_why_on_its_own_page(own_lessons):
    app = at("03-broken")
    assert "line 11: There is no explainer" in app.error[0].value.replace("\\", "")


def test_a_new_file_appears_and_an_edited_one_changes(monkeypatch, tmp_path):
    monkeypatch.setenv("WOMBAT_LESSONS", str(tmp_path))
    assert "There are no lessons" in at().info[0].value
    path = tmp_path / "07-new.md"
    shutil.copy(OWN / "01-small.md", path)
    assert "A small lesson" in [button.label for button in at().button]
    path.write_text(path.read_text(encoding="utf-8").replace("A small lesson", "A changed one"), encoding="utf-8")
    assert "A changed one" in [button.label for button in at().button]


def test_a_lesson_with_a_picture_from_a_network_is_not_shown(monkeypatch, tmp_path):
    monkeypatch.setenv("WOMBAT_LESSONS", str(tmp_path))
    text = (OWN / "01-small.md").read_text(encoding="utf-8")
    picture = "![x](http://example.com/a.png)"
    (tmp_path / "01-small.md").write_text(text.replace("Look at the axis.", picture), encoding="utf-8")
    app = at("01-small", 2)
    assert "01-small.md, line 36: a text of a lesson has no pictures" in app.error[0].value.replace("\\", "")
    assert picture not in texts(app)


def test_a_small_picture_ends_a_little_beyond_its_atoms():
    drawn = depict(from_smiles("O=Cc1ccccc1"), width=300, height=120)
    card = {"title": "x", "svg": drawn.svg, "positions": drawn.positions, "radius": drawn.atom_radius}
    small = cropped(card)
    left, top, width, height = map(float, re.search(r"viewBox=.([^'\"]*)", small["svg"])[1].split())
    assert width < 300 and ((drawn.positions > [left, top]) & (drawn.positions < [left + width, top + height])).all()
    assert small["positions"] is card["positions"]


def test_a_lesson_is_found_by_its_number(own_lessons):
    assert "step 1 of 3" in texts(at("1"))
    assert "There is no lesson 9" in at("9").warning[0].value


@pytest.mark.parametrize("step", range(1, 18))
def test_every_view_renders(own_lessons, step):
    app = at("02-views", step, revealed=True)
    assert [error.value for error in app.error] == []
    assert [info.value for info in app.info] == []


def test_buttons_reveal_and_go_on_and_back(own_lessons):
    app = at("01-small")
    assert app.button("lesson-back").disabled
    assert app.button("lesson-on").label == "Reveal"
    app.button("lesson-on").click().run()
    assert (address(app)["revealed"], app.button("lesson-on").label) == ("1", "Next")
    assert "0.923" in texts(app).replace("\\", "")
    app.button("lesson-on").click().run()
    assert address(app) == {"lesson": "01-small", "step": "2"}
    app.button("lesson-back").click().run()
    assert address(app) == {"lesson": "01-small", "revealed": "1"}


def test_a_choice_is_kept_judged_and_summed_up(own_lessons):
    app = at("01-small", 2)
    assert [app.button(f"lesson-choice-2-{place}").label for place in range(3)] == [
        "r1",
        "r2",
        "both alike, at 14 atoms",
    ]
    app.button("lesson-choice-2-0").click().run()
    app.button("lesson-on").click().run()
    assert "not right" in texts(app)
    app.button("lesson-back").click().run()
    app.button("lesson-choice-2-1").click().run()
    app.button("lesson-on").click().run()
    assert "Your guess was right" in texts(app)
    assert ":green[:material/check:] **r2** · your guess" in texts(app)
    app.button("lesson-on").click().run()
    assert "2. Where is the blame collected\\? | r2 | right |" in texts(app)
    app.button("lesson-again").click().run()
    assert "step 1 of 3" in texts(app)
    app.run()  # the browser's address has caught up
    app.query_params["step"] = "3"
    app.run()
    assert "2. Where is the blame collected\\? | none | – |" in texts(app)


def test_marked_atoms_are_compared_with_the_truth_and_the_explainers(own_lessons):
    app = at("01-small")
    app.session_state["lesson-guesses"] = {
        ("01-small", 1, "atoms", "NC(=O)NN=C1CCCC(C(=O)O)C1", ()): {"atoms": [0, 1, 7]}
    }
    app.query_params["revealed"] = "1"
    app.run()
    said = texts(app)
    assert "**2 of 13** ground-truth atoms marked" in said and "too many C7" in said
    assert "| ground truth | **0.14** | |" in said  # 2 shared of 14
    assert "| Saliency | null | null |" in said


def test_a_guess_may_be_skipped(own_lessons):
    assert "No atom was marked." in texts(at("01-small", revealed=True))
    assert "No guess." in texts(at("01-small", 2, revealed=True))


def test_a_network_is_trained_and_explained_beside_the_hand_set_one(own_lessons):
    app = at("02-views", 13, revealed=True)
    app.button("lesson-train").click().run()
    assert not app.exception
    job = next(job for job in all_jobs("training") if job.is_active or job.state == "done")
    job.wait(100)
    assert job.state == "done"
    app.run()
    assert not app.exception and not app.error
    said = texts(app)
    assert "on 40 molecules with the motif and 40 without" in said
    assert "the hand-set network says F = **1.00**" in said
    app.button("lesson-train-another").click().run()
    assert app.button("lesson-train").label == "Train"


def test_a_link_alone_begins_no_long_work(monkeypatch):
    forget_jobs()
    lesson, number = next(
        (lesson, number)
        for lesson in map(read_lesson, ALL)
        for number, step in enumerate(lesson.steps, start=1)
        if any(explainer_class(name).expensive for name in step.explainers)
    )
    app = at(lesson.name, number, revealed=True)
    waiting = all_jobs("explainer")
    assert waiting and all(job.state == "new" for job in waiting)
    assert any(button.label.startswith("Run ") for button in app.button)
    # Two visitors: who goes on within the lesson has begun it, the other one only looks on.
    one, other = at(lesson.name, number), at(lesson.name, number, revealed=True)
    one.button("lesson-on").click().run()
    started = [job for job in all_jobs("explainer") if job.state != "new"]
    assert started, "a step that was gone to begins at once"
    other.run()
    assert not other.exception
    for job in started:
        assert job.owners <= {one.session_state["visitor"]}, "a link owns nothing"
        job.stop()


def test_presenters_mode_has_no_sidebar_and_notes_in_a_fold(own_lessons):
    app = at("01-small", revealed=True, present="1")
    assert not app.sidebar.children
    assert [fold.label for fold in app.expander] == ["For the presenter"]
    assert "Wait for 13 atoms" in app.expander[0].markdown[0].value
    assert "F is 1 under r2" not in texts(app)
    app.button("leave").click().run()
    assert "present" not in address(app) and address(app)["lesson"] == "01-small"


@pytest.mark.parametrize(
    "params, words",
    [
        ({"lesson": "nothing"}, "There is no lesson nothing"),
        ({"lesson": "01-small", "step": "9"}, "The lesson has 3 steps; the last one is shown"),
        ({"lesson": "01-small", "step": "x"}, "it must be a whole number from 1 to 999"),
        ({"lesson": "<b>x</b>"}, "There is no lesson"),
    ],
)
def test_a_bad_address_is_named(own_lessons, params, words):
    app = opened("lessons", **params)
    assert words in app.warning[0].value.replace("\\", "")


def test_links_carry_the_situation(own_lessons):
    from pages.parts.lessons.links import link_problems
    from pages.shared.state import parse

    lesson = read_lesson(OWN / "01-small.md")
    assert link_problems(lesson) == []
    app = at("01-small", 3)
    links = [element.proto for element in app.get("page_link")]
    titles = [link.label for link in links]
    assert "The path of C7" in titles
    query = next(link.query_string for link in links if link.label == "The path of C7")
    from urllib.parse import parse_qsl

    state, problems = parse(dict(parse_qsl(query)))
    assert problems == []
    assert (state.pattern, state.atom, state.molecule) == ("5", 7, "NC(=O)NN=C1CCCC(C(=O)O)C1")


def test_a_link_that_says_what_no_page_knows_is_found(tmp_path):
    from pages.parts.lessons.links import link_problems

    text = (OWN / "01-small.md").read_text(encoding="utf-8").replace("layer: readout", "layer: top")
    path = tmp_path / "01-small.md"
    path.write_text(text, encoding="utf-8")
    [problem] = link_problems(read_lesson(path))
    assert problem.startswith("01-small.md, line 47: the link 'All layers' says layer=top")
