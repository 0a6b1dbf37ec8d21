#!/bin/sh
# Removes files that a service does not need from the base image. It is the last step of the stage `base`, which is
# copied into the image. It works on Docker's python image, where Python is in /usr/local, and on Debian's own python3.
set -eu

# Remove lists, caches, logs, manuals and translations. Keep licences, and Debian's list of packages for scanners.
rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* /root/.cache
rm -rf /usr/share/locale /usr/share/man /usr/share/info /usr/share/lintian /usr/share/bash-completion
find /usr/share/doc -type f ! -name copyright -delete

# Nothing is installed into a finished image, so remove pip, apt, Perl, and Python's tests and desktop modules.
library=$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
for part in ensurepip idlelib lib2to3 pydoc_data test tkinter turtledemo site-packages/*; do
  rm -rf "${library:?}"/$part
done
rm -rf /usr/lib/python3/dist-packages/* /usr/share/python-wheels /usr/bin/pip* /usr/local/bin/pip* /usr/local/bin/idle*
rm -rf /usr/bin/apt* /usr/lib/apt /usr/lib/*/libapt-* /usr/bin/perl* /usr/share/perl* /usr/lib/*/perl* /usr/lib/*/libperl*

# Compile now, because containers are read-only.
python3 -m compileall -q "$library"

# Create the user that runs the services, and the data folder. A new volume at /data gets the same owner.
echo "consort:x:10001:10001:Consort:/data:/usr/sbin/nologin" >>/etc/passwd
echo "consort:x:10001:" >>/etc/group
install -d -m 700 -o 10001 -g 10001 /data
