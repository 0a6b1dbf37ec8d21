#!/bin/sh
# Leaves of the base image what a service needs: the last step of the stage `base`, which is then copied into the image.
# Works on Docker's own python image, where Python is in /usr/local, and on a Debian with its own python3.
set -eu

# Lists, caches, logs; manuals and translations. Licences stay, and Debian's list of packages, for scanners.
rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* /root/.cache
rm -rf /usr/share/locale /usr/share/man /usr/share/info /usr/share/lintian /usr/share/bash-completion
find /usr/share/doc -type f ! -name copyright -delete

# Nothing is installed into a finished image: no pip, apt or Perl; nor Python's own tests and desktop parts.
library=$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
for part in ensurepip idlelib lib2to3 pydoc_data test tkinter turtledemo site-packages/*; do
  rm -rf "${library:?}"/$part
done
rm -rf /usr/lib/python3/dist-packages/* /usr/share/python-wheels /usr/bin/pip* /usr/local/bin/pip* /usr/local/bin/idle*
rm -rf /usr/bin/apt* /usr/lib/apt /usr/lib/*/libapt-* /usr/bin/perl* /usr/share/perl* /usr/lib/*/perl* /usr/lib/*/libperl*

# Compiled now, because images are run read-only.
python3 -m compileall -q "$library"

# Who runs the services, and where things are kept: a new volume at /data takes its owner from here.
echo "consort:x:10001:10001:Consort:/data:/usr/sbin/nologin" >>/etc/passwd
echo "consort:x:10001:" >>/etc/group
install -d -m 700 -o 10001 -g 10001 /data
