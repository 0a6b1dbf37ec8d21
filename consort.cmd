@echo off
rem The `consort` command on Windows (untested). It does the same as the script `consort` beside it; see the comments there.
setlocal
set "root=%~dp0"
set "boot=%root%cli\src\consort_cli\bootstrap.py"
set "inside=%root%.venv\Scripts"
set "fits=import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 13))"

if exist "%inside%\python.exe" "%inside%\python.exe" -I "%boot%" --check && goto run

for %%P in ("py -3.12" "py -3.11" python3 python) do (
    %%~P -I -c "%fits%" >nul 2>nul <nul && set "found=%%~P" && goto install
)
where uv >nul 2>nul && (
    uv python install --no-bin 3.12 1>&2 <nul
    for /f "usebackq delims=" %%P in (`uv python find --managed-python 3.12`) do set found="%%P"
)
if not defined found (
    echo consort: no usable Python was found. Install Python 3.12 or 3.11, or uv, and run this again. 1>&2
    exit /b 1
)

:install
%found% -I "%boot%" 1>&2 <nul || exit /b 1

:run
"%inside%\consort.exe" %*
exit /b %ERRORLEVEL%
