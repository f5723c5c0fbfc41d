"""The manuals: a name, the Debian package that holds each, and its first page below /usr/share."""

from typing import NamedTuple


class Manual(NamedTuple):
    """start: the first page of HTML, or the first file of an Info manual; is_one_page: its links are not followed."""

    name: str
    package: str
    start: str
    is_one_page: bool = False


def _in_folder(package: str, folder: str, *names: str) -> list[Manual]:
    """Several manuals of one package: each is a page in the same folder, or a folder with an index."""
    starts = [name if name.endswith((".html", ".gz")) else f"{name}/index.html" for name in names]
    stems = [name.removesuffix(".html").split(".info")[0] for name in names]
    title = package.removesuffix("-doc").removesuffix("-html")
    return [
        Manual(f"{title}-{stem}", package, f"{folder}/{start}", is_one_page=start == f"{stem}.html")
        for stem, start in zip(stems, starts, strict=True)
    ]


MANUALS = (
    Manual("abs-guide", "abs-guide", "doc/abs-guide/html/index.html"),
    Manual("apache", "apache2-doc", "doc/apache2-doc/manual/en/index.html"),
    Manual("apt-guide", "apt-doc", "doc/apt-doc/guide.html/index.html"),
    Manual("aptitude", "aptitude-doc-en", "doc/aptitude/html/en/index.html"),
    Manual("auctex", "auctex", "doc/auctex/HTML/auctex/index.html"),
    Manual("autoconf", "autoconf-doc", "doc/autoconf/autoconf.html"),
    Manual("bash", "bash-doc", "doc/bash-doc/bashref.html"),
    Manual("bind9", "bind9-doc", "doc/bind9-doc/arm/index.html"),
    *_in_folder("binutils-doc", "info", "as.info.gz", "binutils.info.gz", "gprof.info.gz", "ld.info.gz"),
    Manual("borgbackup", "borgbackup-doc", "doc/borgbackup/html/index.html"),
    Manual("celery", "python-celery-doc", "doc/python-celery-doc/html/userguide/index.html"),
    Manual("clisp", "clisp-doc", "doc/clisp/doc/impnotes.html"),
    Manual("cmake", "cmake-doc", "doc/cmake-data/html/index.html"),
    Manual("debian-faq", "debian-faq", "doc/debian/FAQ/index.en.html"),
    Manual("debian-handbook", "debian-handbook", "doc/debian-handbook/html/en-US/index.html"),
    Manual("debian-installation", "installation-guide-amd64", "doc/installation-guide-amd64/en/index.html"),
    Manual("debian-maint-guide", "maint-guide", "doc/maint-guide/html/index.en.html"),
    Manual("debian-policy", "debian-policy", "doc/debian-policy/policy.html/index.html"),
    Manual("debian-reference", "debian-reference-en", "debian-reference/index.en.html"),
    Manual("debian-securing", "harden-doc", "doc/harden-doc/html/en-US/index.html"),
    Manual("developers-reference", "developers-reference", "developers-reference/index.html"),
    Manual("diffutils", "diffutils-doc", "doc/diffutils/index.html"),
    Manual("django", "python-django-doc", "doc/python-django-doc/html/index.html"),
    Manual("exim4", "exim4-doc-html", "doc/exim4-doc-html/spec_html/index.html"),
    Manual("fftw", "libfftw3-doc", "doc/libfftw3-dev/html/index.html"),
    Manual("flask", "python-flask-doc", "doc/python-flask-doc/html/index.html"),
    Manual("flex", "flex-doc", "doc/flex-doc/html/index.html"),
    Manual("gap-reference", "gap-doc", "gap/doc/ref/chap0.html"),
    Manual("gap-tutorial", "gap-doc", "gap/doc/tut/chap0.html"),
    Manual("gettext", "gettext-doc", "doc/gettext/gettext_toc.html"),
    Manual("git-user-manual", "git-doc", "doc/git-doc/user-manual.html", is_one_page=True),
    Manual("gnuplot", "gnuplot-doc", "info/gnuplot.info.gz"),
    Manual("gnutls", "gnutls-doc", "doc/gnutls-doc/html/gnutls.html"),
    Manual("groff", "groff", "info/groff.info-1.gz"),
    Manual("guile", "guile-3.0-doc", "info/guile-3.0/guile.info-1.gz"),
    *_in_folder("haproxy-doc", "doc/haproxy/html", "configuration.html", "management.html"),
    Manual("hledger", "hledger", "doc/hledger/hledger.info.gz"),
    Manual("ledger", "ledger", "info/ledger3.info.gz"),
    Manual("libtool", "libtool-doc", "info/libtool.info-1.gz"),
    Manual("m4", "m4-doc", "doc/m4/index.html"),
    Manual("ntpsec", "ntpsec-doc", "doc/ntpsec-doc/html/index.html"),
    Manual("octave", "octave-doc", "doc/octave/octave.html/index.html"),
    Manual("postfix", "postfix-doc", "doc/postfix/html/index.html"),
    Manual("postgresql", "postgresql-doc-15", "doc/postgresql-doc-15/html/index.html"),
    *_in_folder(
        "python3.11-doc",
        "doc/python3.11/html",
        *("tutorial", "library", "reference", "c-api", "extending", "howto", "using", "whatsnew"),
    ),
    *_in_folder(
        "r-doc-html",
        "R/doc/manual",
        *("R-intro.html", "R-exts.html", "R-admin.html", "R-ints.html", "R-lang.html", "R-data.html", "R-FAQ.html"),
    ),
    Manual("rsyslog", "rsyslog-doc", "doc/rsyslog-doc/html/index.html"),
    *_in_folder("sbcl-doc", "info", "sbcl.info-1.gz"),
    Manual("sqlalchemy", "python-sqlalchemy-doc", "doc/python-sqlalchemy-doc/html/index.html"),
    Manual("sqlite", "sqlite3-doc", "doc/sqlite3/index.html"),
    Manual("swi-prolog", "swi-prolog-doc", "swi-prolog/doc/Manual/index.html"),
    Manual("valgrind", "valgrind", "doc/valgrind/html/index.html"),
    *_in_folder("varnish-doc", "doc/varnish/html", "users-guide", "reference"),
    Manual("vim", "vim-doc", "doc/vim/html/usr_toc.html"),
    Manual("zsh", "zsh-doc", "doc/zsh-common/html/index.html"),
)
