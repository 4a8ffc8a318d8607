"""The app in Streamlit's AppTest."""

from streamlit.testing.v1 import AppTest

from tests.browser import ROOT


def opened(page: str | None = None, **params: str) -> AppTest:
    """The app at an address, run once without an exception.

    Args:
        page: a page's file below `pages`, without its ending; None for the first page.
        params: the address's parameters.
    """
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for name, value in params.items():
        app.query_params[name] = value
    if page is not None:
        app.switch_page(f"pages/{page}.py")
    app.run()
    assert not app.exception
    return app
