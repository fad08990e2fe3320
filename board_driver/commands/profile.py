"""`touchmove profile check FILE` and `touchmove profile show FILE`: a board's profile, judged and spelled out."""

from __future__ import annotations

import argparse

_ABOUT = """\
A profile is a YAML file that says how a board is wired, lit and played on. Those
that come with touchmove are named without path or ending: reed-matrix-gpio."""

_EXAMPLES = """\
examples:
  touchmove profile list                     the profiles that come with touchmove
  touchmove profile check board.yaml         all that is wrong with it, at once
  touchmove profile wiring board.yaml -o board.svg      its wires, drawn
  touchmove profile show reed-matrix-gpio    every value, defaults included: a start for your own

exit status: 0 when the profile is sound, 2 when it is not or cannot be read"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "profile",
        help="check a board's profile, or show all its values",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    check = actions.add_parser("check", help="tell everything that is wrong with a profile")
    check.add_argument("file", metavar="FILE", help="a profile's file or name")
    check.set_defaults(run=run_check)
    show = actions.add_parser("show", help="print the effective values of a profile, as YAML")
    show.add_argument("file", metavar="FILE", help="a profile's file or name")
    show.set_defaults(run=run_show)
    wiring = actions.add_parser("wiring", help="tell what is wired where, as tables or as a drawing")
    wiring.add_argument("file", metavar="FILE", help="a profile's file or name")
    wiring.add_argument("-o", "--output", metavar="OUT", help="where to: a .svg is drawn, a .md gets the tables")
    wiring.set_defaults(run=run_wiring)
    listing = actions.add_parser("list", help="name the profiles that come with touchmove")
    listing.set_defaults(run=run_list)


def run_check(arguments: argparse.Namespace) -> int:
    """One line for each fault, or one that says all is well."""
    import sys

    from board_driver.lights.power import warning_for
    from board_driver.profile.finding import find_profile
    from board_driver.profile.reading import read_profile_file
    from board_driver.profile.schema import Profile

    path = find_profile(arguments.file)
    profile = read_profile_file(path)
    if isinstance(profile, Profile):
        print(f"{path}: {profile.name}: all is well")
        for warning in filter(None, map(warning_for, profile.lights)):
            print(f"{path}: note: {warning}")
        return 0
    for fault in profile:
        print(f"{path}, {fault}", file=sys.stderr)
    word = "fault" if len(profile) == 1 else "faults"
    print(f"touchmove: {len(profile)} {word} in {path}", file=sys.stderr)
    return 2


def run_show(arguments: argparse.Namespace) -> int:
    """The effective values."""
    from board_driver.profile.finding import find_profile
    from board_driver.profile.reading import sound_profile
    from board_driver.profile.showing import effective_text

    print(effective_text(sound_profile(find_profile(arguments.file))), end="")
    return 0


def run_wiring(arguments: argparse.Namespace) -> int:
    """Tables on the terminal, or what the ending of the file asks for."""
    from pathlib import Path

    from board_driver.inputerror import InputError, shortened
    from board_driver.profile.finding import find_profile
    from board_driver.profile.reading import sound_profile
    from board_driver.wiring.drawing import wiring_svg
    from board_driver.wiring.page import wiring_page

    path = find_profile(arguments.file)
    profile = sound_profile(path)
    if arguments.output is None:
        print(wiring_page(profile, path.stem), end="")
        return 0
    target = Path(arguments.output)
    if target.suffix not in (".svg", ".md"):
        raise InputError(f"expected a file that ends in .svg or .md after -o, got {shortened(arguments.output)}")
    text = wiring_svg(profile) if target.suffix == ".svg" else wiring_page(profile, path.stem)
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{target} cannot be written: {problem.strerror or problem}") from problem
    return 0


def run_list(_arguments: argparse.Namespace) -> int:
    """Name, and what the board is."""
    from board_driver.profile.finding import packaged_profiles
    from board_driver.profile.reading import sound_profile

    profiles = packaged_profiles()
    width = max((len(name) for name in profiles), default=0)
    for name, path in profiles.items():
        print(f"{name:<{width}}  {sound_profile(path).name}")
    return 0
