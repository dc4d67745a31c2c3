"""The recipe for Conan 2: conan create .

Everything that robotrules needs besides a compiler comes from the system's packages (-c
tools.system.package_manager:mode=install installs them on Debian and its relatives), so that the recipe works without a
remote. Programs find the package as they find an installed one: find_package(robotrules COMPONENTS core) and
robotrules::core, or pkg-config robotrules-core.
"""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.system.package_manager import Apt

# The parts in their order, each with its libraries. Each part needs those before it.
PARTS = {
    "core": ["core", "advice"],
    "store": ["store", "sqlite", "redis", "postgres", "stores"],
    "agent": ["page", "sitemap", "agent"],
    "crawl": ["crawl"],
}
# The libraries: those of this project that each needs, what it links beside them, and Debian's packages. cmake/Dependencies.cmake
# has the same.
LIBRARIES = {
    "core": ([], [], []),
    "advice": (["core"], [], []),
    "store": (
        ["core"],
        ["z", "brotlidec", "zstd", "psl", "crypto"],
        ["zlib1g-dev", "libbrotli-dev", "libzstd-dev", "libpsl-dev", "libssl-dev"],
    ),
    "sqlite": (["store"], ["sqlite3"], ["libsqlite3-dev"]),
    "redis": (["store"], ["hiredis", "ssl", "pthread"], ["libhiredis-dev", "libssl-dev", "libboost-dev"]),
    "postgres": (["store"], ["pq"], ["libpq-dev"]),
    "stores": (["sqlite", "redis", "postgres"], [], []),
    "page": (["store"], ["curl", "gumbo"], ["libcurl4-openssl-dev", "libgumbo-dev"]),
    "sitemap": (["page"], ["expat"], ["libexpat1-dev"]),
    "agent": (["sitemap"], ["curl", "ssl", "crypto", "pthread"], ["libcurl4-openssl-dev", "libboost-dev"]),
    "crawl": (["agent", "stores"], ["deflate", "z", "zstd", "pthread"], ["libdeflate-dev", "nlohmann-json3-dev"]),
}


class RobotrulesRecipe(ConanFile):
    name = "robotrules"
    description = "Reads, matches, remembers and obeys robots.txt"
    license = "Apache-2.0"
    topics = ("robots.txt", "rfc9309", "crawler")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        # The last part that is built: core needs no other library, and advice comes with it.
        "parts": list(PARTS),
        # librobotrules.so, the C interface of these parts.
        "c": [True, False],
        # Stores on servers, if store is built: libpq, and hiredis with OpenSSL and Asio.
        "postgres": [True, False],
        "redis": [True, False],
    }
    default_options = {"shared": False, "fPIC": True, "parts": "crawl", "c": True, "postgres": False, "redis": False}
    exports_sources = (
        "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md", "bindings/c/*", "cmake/*",
        "data/*", "docs/*", "include/*", "src/*", "tools/amalgamate.sh",
    )

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include/robotrules/version.hpp"))
        self.version = re.search(r'^#define ROBOTRULES_VERSION "([0-9.]+)"$', header, re.MULTILINE).group(1)

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")
        if self.options.parts == "core":
            self.options.rm_safe("postgres")
            self.options.rm_safe("redis")

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os not in ("Linux", "FreeBSD"):
            raise ConanInvalidConfiguration("robotrules is tried on Linux alone")

    def _libraries(self):
        parts = list(PARTS)
        parts = parts[: parts.index(str(self.options.parts)) + 1]
        left_out = [server for server in ("redis", "postgres") if not self.options.get_safe(server)]
        return [library for part in parts for library in PARTS[part] if library not in left_out]

    def system_requirements(self):
        packages = sorted({package for library in self._libraries() for package in LIBRARIES[library][2]})
        if packages:
            Apt(self).install(packages, update=False, check=True)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        libraries = self._libraries()
        for library in LIBRARIES:
            if library not in ("core", "advice", "stores"):  # the first two are always built, and stores with sqlite
                toolchain.cache_variables[f"ROBOTRULES_BUILD_{library.upper()}"] = library in libraries
        toolchain.cache_variables["ROBOTRULES_BUILD_COMMAND"] = False
        toolchain.cache_variables["ROBOTRULES_BUILD_C"] = bool(self.options.c)
        toolchain.cache_variables["ROBOTRULES_DEVELOPER"] = False
        toolchain.cache_variables["ROBOTRULES_BATCH"] = "16"
        toolchain.cache_variables["ROBOTRULES_NO_BATCH"] = "src/base;src/core;src/core/line;src/core/rules"
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        # The package has its own robotrules-config.cmake, which also finds what static libraries need.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.components["core"].builddirs = ["lib/cmake/robotrules"]
        libraries = self._libraries()
        for library in libraries:
            needs, linked, _ = LIBRARIES[library]
            component = self.cpp_info.components[library]
            component.set_property("pkg_config_name", f"robotrules-{library}")
            component.libs = [f"robotrules_{library}"]
            component.requires = [need for need in needs if need in libraries]
            component.system_libs = list(linked)
        if self.options.c:
            self.cpp_info.components["c"].set_property("pkg_config_name", "robotrules")
            self.cpp_info.components["c"].libs = ["robotrules"]
