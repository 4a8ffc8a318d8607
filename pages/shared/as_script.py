"""Pages belong to `app.py`, also where Streamlit runs the file of a page by itself.

It does so while it knows a `pages` folder but no `st.navigation` yet: when the first visitor after a start
opens a link to a page.
"""

import runpy
from pathlib import Path

APP = Path(__file__).resolve().parents[2] / "app.py"


def run_app() -> None:
    """Run the app, which then runs the page that the address names."""
    runpy.run_path(str(APP), run_name="__main__")
