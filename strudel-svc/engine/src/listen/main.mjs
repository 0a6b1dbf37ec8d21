// The page on which a user hears and edits a song, beside the assistant that edits it too.
// This bundle is AGPL-3.0-or-later, as the packages in it are; see LICENSE in the folder `strudel-svc/engine`.
import { EditorView } from '@codemirror/view';
import { StateEffect } from '@codemirror/state';
import { codemirrorSettings, StrudelMirror } from '@strudel/codemirror';
import { silence } from '@strudel/core';
import { transpiler } from '@strudel/transpiler';
import { getAudioContext, getSuperdoughAudioController, initAudio, webaudioOutput } from '@strudel/webaudio';
import { ensureSound, registerSounds, soundName } from '../common/sounds.mjs';
import { usesTunings } from '../common/tunings.mjs';
import { addTunings } from '../common/add_tunings.mjs';
import { lineDiff } from './line_diff.mjs';
import { makeScope } from './scope.mjs';
import { merge } from './merge.mjs';
import { preload } from './preload.mjs';
import { Song } from './song.mjs';
import { PianoRoll, Scope } from './visuals.mjs';

const SEEN_CYCLES = [-2, 2];
const element = (id) => document.getElementById(id);
const data = JSON.parse(element('page-data').textContent);
const song = new Song(data);
const roll = new PianoRoll(element('roll'));
const scope = new Scope(element('scope'));
const replaced = new Map();
const packs = new Set();
let problem = '';
let isPlaying = false;

async function prebake() {
  const sounds = await (await fetch(data.soundsUrl)).json();
  await makeScope((pack) => {
    packs.add(pack);
    showSounds();
  });
  await registerSounds(sounds.library, (path) => sounds.files[path]);
  if (!sounds.library.programs.length) say('The sound library is not built, so only synths are heard. Run: consort sounds build');
}

/** Load the tables of tunings, if the script needs them and they are not there yet. */
async function loadTunings() {
  if (globalThis.consortTunings || !usesTunings(editor.code)) return;
  const program = document.createElement('script');
  await new Promise((loaded, failed) => {
    Object.assign(program, { src: data.tuningsUrl, onload: loaded, onerror: () => failed(new Error('The tunings could not be loaded.')) });
    document.body.append(program);
  });
  await addTunings();
}

/** Return the name of the sound that plays for a name. If that is another, or none, the page says so. */
function localSound(name) {
  if (replaced.has(name)) return replaced.get(name);
  const found = ensureSound(name);
  if (found !== name) {
    replaced.set(name, found);
    showSounds();
  }
  return found;
}

function play(hap, ...rest) {
  const name = hap.value && typeof hap.value === 'object' ? soundName(hap.value) : undefined;
  if (name !== undefined && localSound(name) === undefined) return undefined;
  return webaudioOutput(hap, ...rest);
}

const editor = new StrudelMirror({
  root: element('editor'),
  initialCode: data.script,
  defaultOutput: play,
  getTime: () => getAudioContext().currentTime,
  transpiler,
  pattern: silence,
  drawTime: SEEN_CYCLES,
  drawContext: element('roll').getContext('2d'),
  solo: false,
  bgFill: false,
  prebake,
  beforeEval: loadTunings,
  editPattern: (pattern) => pattern.onPaint((_, time, events, span) => roll.draw(time, events, span)),
  onUpdateState: ({ started, error }) => {
    isPlaying = started;
    problem = error?.message ?? '';
    showState();
  },
});
const { scheduler } = editor.repl;
const setPattern = scheduler.setPattern.bind(scheduler);
scheduler.setPattern = async (pattern, autostart) => {
  if (autostart && !scheduler.started) say('Loading sounds.');
  if (await preload(pattern, scheduler.now(), localSound)) await setPattern(pattern, autostart);
};
editor.updateSettings({ ...codemirrorSettings.get(), theme: isDark() ? 'strudelTheme' : 'githubLight', fontSize: 15, isLineWrappingEnabled: true });
editor.editor.dispatch({
  effects: StateEffect.appendConfig.of([
    EditorView.contentAttributes.of({ 'aria-label': 'Script' }),
    EditorView.updateListener.of((update) => update.docChanged && showState()),
  ]),
});

function isDark() {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

const isEdited = () => editor.code !== song.script;

function showState() {
  element('play').textContent = isPlaying ? 'Stop' : 'Play';
  element('update').disabled = !isPlaying;
  element('save').disabled = mustChoose || !isEdited();
  element('version').textContent = `Version ${song.version}${isEdited() ? ', edited' : ''}`;
  element('problem').hidden = !problem;
  element('problem').textContent = problem;
  if (!problem) say(isPlaying ? 'Playing.' : 'Stopped.');
  if (isPlaying) scope.start();
  else scope.stop();
}

function say(text) {
  if (element('status').textContent !== text) element('status').textContent = text;
}

function showSounds() {
  const lines = [...replaced].map(([name, found]) => (found ? `${name} → ${found}` : `${name}: not here, silent`));
  lines.push(...[...packs].map((pack) => `${pack}: not loaded; \`consort sounds fetch\` gets packs`));
  element('sounds').hidden = !lines.length;
  element('sound-list').replaceChildren(...lines.map((text) => Object.assign(document.createElement('li'), { textContent: text })));
}

async function evaluate() {
  await initAudio();
  await getAudioContext().resume();
  await editor.evaluate();
}

/** Replace the script in the editor, and play it if something plays. */
async function takeOver(script) {
  editor.setCode(script);
  if (isPlaying) await evaluate();
  showState();
}

async function save(script, reason, done) {
  try {
    const saved = await song.save(script, reason);
    hideChange();
    problem = saved.errors?.length ? `${done} as version ${saved.version}, but it has errors. ${saved.errors.join(' ')}` : '';
    showState();
    if (!problem) say(`${done} as version ${saved.version}.`);
  } catch (error) {
    problem = error.message;
    showState();
  }
}

// A change that somebody else made, mostly the assistant. Edits on this page are kept beside it; if both change the same
// lines, the user chooses one, and cannot save before.
let offered;
let mustChoose = false;

function showChange(newest, previous) {
  const mine = editor.code;
  const isEdited = mine !== previous.script && mine !== newest.script;
  const merged = isEdited ? merge(previous.script, mine, newest.script) : newest.script;
  mustChoose = merged === undefined;
  offered = { newest, previous };
  element('change-title').textContent = mustChoose
    ? `Version ${newest.version} changes the same lines as your edits. Choose one.`
    : `Version ${newest.version} arrived.${isEdited ? ' Your edits are kept; Update plays both.' : ''}`;
  element('change-reason').textContent = newest.reason || newest.summary || '';
  element('change-diff').replaceChildren(
    ...lineDiff(mustChoose ? mine : previous.script, newest.script).map(([mark, text]) => {
      const row = document.createElement(mark === '+' ? 'ins' : mark === '-' ? 'del' : 'span');
      row.textContent = `${mark} ${text}\n`;
      return row;
    }),
  );
  for (const name of ['take', 'keep']) element(name).hidden = !mustChoose;
  element('undo').hidden = isEdited;
  element('dismiss').hidden = mustChoose;
  element('change').hidden = false;
  if (!isEdited) {
    takeOver(newest.script);
    return;
  }
  if (!mustChoose) editor.setCode(merged); // not played yet: the edits may be unfinished
  showState();
}

function hideChange() {
  mustChoose = false;
  element('change').hidden = true;
  offered = undefined;
}

element('play').addEventListener('click', async () => {
  if (isPlaying) await editor.stop();
  else await evaluate();
});
element('update').addEventListener('click', evaluate);
element('save').addEventListener('click', () => save(editor.code, 'edited on the listen page', 'Saved'));
element('take').addEventListener('click', async () => {
  await takeOver(offered.newest.script);
  hideChange();
});
element('keep').addEventListener('click', () => {
  hideChange();
  showState();
});
element('undo').addEventListener('click', async () => {
  const { script, version } = offered.previous;
  await takeOver(script);
  await save(script, `undo: back to version ${version}`, 'Undone');
});
element('dismiss').addEventListener('click', hideChange);

song.follow(showChange, (text) => {
  element('connection').textContent = text;
});
editor.prebaked.then(
  () => {
    element('play').disabled = false;
    showState();
    say('Ready.');
  },
  (error) => {
    problem = `The sounds could not be loaded: ${error.message}`;
    showState();
  },
);
window.consortListen = { editor, scope, song, getAudioContext, output: () => getSuperdoughAudioController().output.destinationGain };
