"""run.py MODULE...: runs test modules of this folder with the package robotrules that Python finds.

Status 77: all tests were skipped, and the last line says why.
"""
import pathlib
import sys
import unittest


def main(names):
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if result.testsRun == 0:
        sys.exit("no test was found")
    if not result.wasSuccessful():
        sys.exit(1)
    if len(result.skipped) == result.testsRun:
        print(result.skipped[0][1])
        sys.exit(77)


if __name__ == "__main__":
    main(sys.argv[1:] or sorted(path.stem for path in pathlib.Path(__file__).parent.glob("test_*.py")))
