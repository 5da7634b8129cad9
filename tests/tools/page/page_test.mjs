// Opens the pages of `halocline plan --html` in Chromium and compares what they show with the plan's JSON.
// Usage: page_test.mjs PROGRAM CHROMIUM [SIGN_OF_A_FAILED_BUNDLE]. Says "Skipped: " and why where it cannot run.

import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';

import {Browser} from './browser.mjs';
import {checks, shown} from './page_checks.mjs';
import {expectTraced, tracedWorlds} from './traced_checks.mjs';

const [program, chromium, failedBundle] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'halocline-pages-'));
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(OMPI_|PMI|HALOCLINE|SLURM|PBS)/.test(name)),
);

const worlds = {
  line: ['--mesh', '100000', '--nodes', '20x8', '--periodic', 'all'],
  plane: ['--mesh', '300x200', '--nodes', '4x6', '--stencil', 'moore:1'],
  uneven: ['--mesh', '100x110x95', '--nodes', '7x8,5,3', '--periodic', '0,1,0', '--stencil', 'moore:1'],
  inside: ['--mesh', '400x400x400', '--nodes', '64x8'],
  alone: ['--mesh', '64x64', '--nodes', '1x4'],
  combined: [
    '--mesh',
    '64x64x64',
    '--periodic',
    'all',
    '--stencil',
    'moore:1',
    '--nodes',
    '32x16',
    '--schedule',
    'torus',
  ],
  levels: ['--mesh', '300x200', '--levels', '4,2,3', '--alpha-beta', 'package=50ns,20GB/s'],
  four: ['--mesh', '32x32x32x32', '--nodes', '8x12'],
  without_default: ['--mesh', '4x1000', '--nodes', '5x7'],
  odd_hosts: ['--mesh', '100x100', '--nodes', '2x4', '--hosts', '</script><img/src=x/onerror=alert(1)>,<!--b'],
  large: ['--mesh', '2000x2000x2000', '--nodes', '1300x128'],
};

/** Writes the page of a world and returns its plan as the program prints it. */
function write(name) {
  const file = path.join(folder, `${name}.html`);
  const ranks = path.join(folder, `${name}.hosts`);
  const answer = execFileSync(
    program,
    ['plan', ...worlds[name], '--html', file, '--rankfile', 'slurm', ranks, '--json'],
    {env: environment, encoding: 'utf8', maxBuffer: 1 << 28},
  );
  return {file, plan: JSON.parse(answer), hosts: readFileSync(ranks, 'utf8').trim().split('\n')};
}

const bars = (seen, chart) => seen.bars.filter((bar) => bar.chart.startsWith(chart));

/** Every bar has its value, and all bars of a chart one scale. */
function expectBars(drawn, expected, what) {
  assert.deepEqual(
    drawn.map(({row, part, value}) => [row, part, Number(value)]),
    expected,
    what,
  );
  const largest = drawn.reduce((a, b) => (a.width > b.width ? a : b));
  for (const bar of drawn)
    assert.ok(
      Math.abs(bar.width - (Number(bar.value) * largest.width) / (Number(largest.value) || 1)) < 0.6,
      `${what}: ${JSON.stringify(bar)}`,
    );
}

function expectNumbers(seen, plan, nodes) {
  const {plan: ours, default: usual} = plan;
  assert.deepEqual(seen.tiles, {
    seconds: ours.seconds,
    j_sum: ours.j_sum,
    j_max: ours.j_max,
    messages: ours.total.network.messages,
  });
  const parts = {
    copies: 'copies',
    node_messages: 'messages on the node',
    node_bytes: 'bytes on the node',
    network_messages: 'messages out of the node',
    network_bytes: 'bytes out of the node',
    under_way: 'messages under way',
  };
  const rows = [
    ...(usual ? [['default', usual]] : []),
    [`plan: ${ours.schedule}`, ours],
    ...plan.schedules
      .filter(({schedule}) => schedule !== ours.schedule)
      .map((rated) => [`instead: ${rated.schedule}`, rated]),
  ];
  expectBars(
    bars(seen, 'Predicted time'),
    rows.flatMap(([name, {seconds_of: of}]) => Object.entries(parts).map(([key, part]) => [name, part, of[key]])),
    'times',
  );
  const levels = {self: 'to the process itself', node: 'to another process of the node', network: 'to another node'};
  for (const [chart, what] of [
    ['Bytes by', 'bytes'],
    ['Messages by', 'messages'],
  ])
    expectBars(
      bars(seen, chart),
      [...(usual ? [['default', usual]] : []), ['plan', ours]].flatMap(([name, {total}]) =>
        Object.entries(levels).map(([key, part]) => [name, part, total[key][what]]),
      ),
      what,
    );
  const chosen = bars(seen, 'J_sum').find(({row}) => row === ours.placement);
  assert.equal(Number(chosen.value), ours.j_sum);
  assert.equal(Number(bars(seen, 'J_max').find(({row}) => row === ours.placement).value), ours.j_max);
  assert.equal(bars(seen, 'J_sum').length, bars(seen, 'J_max').length);
  assert.ok(bars(seen, 'J_sum').length >= 5);

  const tables = seen.tables.map(([head, ...body]) => ({head, body}));
  const packing = tables.at(-1);
  assert.deepEqual(
    packing.body.map(([, bytes]) => Number(bytes)),
    plan.packing.map(({bytes}) => bytes),
  );
  const times = tables.find(({head}) => head.includes('bottleneck node'));
  assert.deepEqual(
    times.body.map((row) => Number(row.at(-2))),
    rows.map(([, {seconds}]) => seconds),
  );
  const grid = tables[0];
  if (nodes)
    assert.deepEqual(
      grid.body.map((row) => [Number(row[0]), Number(row[2])]),
      [...sizes(nodes)].slice(0, 1000),
    );
  const leaving = tables.find(({head}) => head[0] === 'node' && head[1] === 'plan: messages');
  if (plan.problem.nodes === 1 || !leaving) return;
  const sum = (column) => leaving.body.reduce((total, row) => total + Number(row[column]), 0);
  if (ours.schedule === 'direct' || ours.schedule === 'node') assert.equal(sum(2), ours.j_sum);
  if (usual) assert.equal(sum(4), usual.j_sum);
  if (usual && plan.problem.nodes <= 512)
    assert.equal(Math.max(...leaving.body.map((row) => Number(row[4]))), usual.j_max);
}

/** How many cells each node has. */
function sizes(nodes) {
  const counts = new Map();
  for (const node of nodes) counts.set(node, (counts.get(node) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => a - b));
}

async function expectGood(browser, name) {
  const world = write(name);
  const page = await browser.open(world.file);
  const seen = await page.evaluate(shown);
  const nodes = world.plan.problem.hosts || name === 'large' ? null : world.hosts.map((host) => Number(host.slice(1)));
  expectNumbers(seen, world.plan, nodes);
  assert.equal(seen.overflow, 0);
  assert.ok(seen.title.includes(world.plan.problem.mesh), seen.title);
  const grids = seen.canvases.filter(({section}) => section === 'grids');
  assert.equal(grids.length, world.plan.default ? 2 : 1);
  for (const canvas of seen.canvases) assert.ok(canvas.colours > 3 && canvas.largest < 0.99, JSON.stringify(canvas));
  await checks[name]?.(page, world);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.requests, []);
  await page.close();
}

function skip(why) {
  console.log(`Skipped: ${why}`);
  process.exit(0);
}

if (!chromium || !existsSync(chromium)) skip('there is no chromium');
const probe = spawnSync(program, ['plan', ...worlds.plane, '--html', path.join(folder, 'probe.html')], {
  env: environment,
  encoding: 'utf8',
});
if (
  probe.status !== 0 &&
  failedBundle &&
  existsSync(failedBundle) &&
  readFileSync(failedBundle, 'utf8').includes('bundled')
)
  throw new Error('the page could not be bundled');
if (probe.status !== 0 && probe.stderr.includes('built without the page'))
  skip('the program was built without the page');
assert.equal(probe.status, 0, probe.stderr);

const browser = new Browser(chromium);
const wanted = process.env.PAGE_WORLDS?.split(',') ?? [...Object.keys(worlds), ...Object.keys(tracedWorlds)];
let failures = 0;
for (const name of wanted) {
  const start = Date.now();
  try {
    if (tracedWorlds[name]) await expectTraced(browser, name, {program, environment, folder});
    else await expectGood(browser, name);
    console.log(`${name}: good, ${((Date.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    ++failures;
    console.log(`${name}: ${error.stack}`);
  }
}
await browser.close();
rmSync(folder, {recursive: true, force: true});
process.exit(failures === 0 ? 0 : 1);
