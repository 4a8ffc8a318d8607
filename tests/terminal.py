"""A command of the terminal, run in this process."""

from wombat_core.cli import main


def outcome(capsys, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code
    captured = capsys.readouterr()
    return code, captured.out, captured.err
