"""run.py [--cffi] [MODULE...]: runs test modules of this folder, or all, with the package robotrules that Python finds.

--cffi: without the type in C (cffi_alone.py).
Status 77: the modules are named, some of their tests were skipped and the others passed. The last line says why.
"""
import importlib
import pathlib
import sys
import unittest


def main(names):
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    if names[:1] == ["--cffi"]:
        names = names[1:]
        importlib.import_module("cffi_alone")
    every = sorted(path.stem for path in pathlib.Path(__file__).parent.glob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names or every)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if result.testsRun == 0:
        sys.exit("no test was found")
    if not result.wasSuccessful():
        sys.exit(1)
    if result.skipped and names:
        print(result.skipped[0][1])
        sys.exit(77)


if __name__ == "__main__":
    main(sys.argv[1:])
