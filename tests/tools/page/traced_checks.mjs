// The pages of programs that were traced: what they show, and what is tried on them.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import path from 'node:path';

import {shown} from './page_checks.mjs';

/** Nearest neighbours of a grid of rows and columns, row by row, four ranks on each node that was recorded. */
function gridTrace(rows, columns, bytes) {
  const lines = ['halocline trace 1', `ranks ${rows * columns}`];
  for (let rank = 0; rank < rows * columns; ++rank) lines.push(`process ${rank} 2 node${rank >> 2}`);
  const send = (from, to) => lines.push(`flow message ${from} ${to} 1 ${bytes}`, `flow message ${to} ${from} 1 ${bytes}`);
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column) {
      const rank = row * columns + column;
      if (column + 1 < columns) send(rank, rank + 1);
      if (row + 1 < rows) send(rank, rank + columns);
    }
  return `${lines.join('\n')}\nend\n`;
}

/** Pairs without a pattern: 2^20 dots would be too many, so ranks share them. */
function oddTrace(ranks) {
  const lines = ['halocline trace 1', `ranks ${ranks}`];
  for (let rank = 0; rank < ranks; ++rank) lines.push(`process ${rank} 2 n${Math.floor(rank / 40)}`);
  for (let rank = 0; rank < ranks; ++rank)
    for (const step of [1, 37, 411])
      lines.push(`flow message ${rank} ${(rank * 3 + step) % ranks} 2 ${(rank % 50) * 1000 + step}`);
  return `${lines.join('\n')}\nend\n`;
}

export const tracedWorlds = {
  traced: {trace: gridTrace(8, 8, 100000), words: ['--nodes', '4x16']},
  traced_levels: {trace: gridTrace(8, 8, 100000), words: ['--levels', '2,2,16', '--alpha-beta', 'node=1us,1GB/s']},
  traced_slower: {trace: gridTrace(8, 8, 10), words: ['--nodes', '4x16', '--alpha-beta', 'network=10us,2GB/s']},
  nothing_gained: {trace: gridTrace(4, 4, 1000), words: ['--nodes', '1x16']},
  no_grid: {trace: oddTrace(1000), words: []},
};

/** What of the matrices is drawn. */
const matrices = () =>
  [...document.querySelectorAll('svg.matrix')].map((svg) => {
    const {width, height} = svg.getBoundingClientRect();
    return {
      order: svg.closest('figure').dataset.order,
      title: svg.querySelector('title').textContent,
      frames: svg.querySelector('.nodes').getAttribute('d').split('M').length - 1,
      shades: [...svg.querySelectorAll('[class^=shade]')].map((path) => getComputedStyle(path).stroke),
      width,
      height,
    };
  });

function expectNumbers(seen, plan) {
  const orders = plan.gains ? ['default', plan.best] : ['default'];
  const nodes = orders.map((name) => plan.results.find(({order, level}) => order === name && level === 'node'));
  const times = orders.map((name) => plan.times.find(({order}) => order === name));
  assert.equal(seen.verdict, plan.verdict);
  const {bytes, busiest_in, busiest_out} = nodes.at(-1);
  assert.deepEqual(seen.tiles, {seconds: times.at(-1).seconds, bytes, busiest_in, busiest_out});
  const values = (chart) => seen.bars.filter((bar) => bar.chart.startsWith(chart)).map(({value}) => Number(value));
  const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
  for (const [chart, key] of [
    ['Bytes between', 'bytes'],
    ['Bytes that the busiest gets', 'busiest_in'],
    ['Bytes that the busiest sends', 'busiest_out'],
  ])
    assert.deepEqual(sorted(values(chart)), sorted(plan.results.map((row) => row[key])), chart);
  assert.deepEqual(
    values('Predicted time'),
    times.flatMap((time) =>
      ['node_messages', 'node_bytes', 'network_messages', 'network_bytes'].map((key) => time[`${key}_seconds`]),
    ),
  );
}

export async function expectTraced(browser, name, {program, environment, folder}) {
  const {trace, words} = tracedWorlds[name];
  const [file, html] = ['trace', 'html'].map((end) => path.join(folder, `${name}.${end}`));
  writeFileSync(file, trace);
  const answer = execFileSync(program, ['plan', '--trace', file, ...words, '--html', html, '--json'], {
    env: environment,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const plan = JSON.parse(answer);
  const page = await browser.open(html);
  const seen = await page.evaluate(shown);
  expectNumbers(seen, plan);
  assert.equal(seen.overflow, 0);
  assert.ok(seen.title.includes(`${plan.ranks} ranks`), seen.title);
  const text = await page.evaluate(() => document.body.innerText);
  for (const sentence of [plan.about, plan.told_by, plan.prices, ...plan.reasons]) assert.ok(text.includes(sentence), sentence);
  for (const {purpose, lines} of plan.how_to_get_it)
    for (const line of [purpose, ...lines]) assert.ok(text.includes(line), line);
  const drawn = await page.evaluate(matrices);
  const nodes = await page.evaluate(() => JSON.parse(document.getElementById('plan').textContent).node_count);
  assert.deepEqual(
    drawn.map(({order}) => order),
    plan.gains ? ['default', 'best'] : ['default'],
  );
  for (const {title, frames, shades, width, height} of drawn) {
    assert.match(title, /bytes between nodes/);
    assert.equal(frames, nodes);
    assert.equal(new Set(shades).size, shades.length);
    assert.ok(width > 200 && Math.abs(width - height) < 1, `${width} x ${height}`);
  }
  await tracedChecks[name]?.(page, plan);
  // The other theme and a narrow window: nothing sticks out.
  await page.evaluate(() => document.querySelector('.theme').click());
  const dark = await page.evaluate(matrices);
  drawn.forEach(({shades}, i) => assert.notDeepEqual(dark[i].shades, shades));
  await page.send('Emulation.setDeviceMetricsOverride', {width: 390, height: 800, deviceScaleFactor: 1, mobile: false});
  await page.frame();
  const narrow = await page.evaluate(shown);
  assert.equal(narrow.overflow, 0);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.requests, []);
  await page.close();
}

const sections = (page) => page.evaluate(() => [...document.querySelectorAll('section')].map(({id}) => id));

const tracedChecks = {
  async traced(page) {
    assert.deepEqual(await sections(page), ['matrix', 'levels', 'time', 'traffic', 'grid', 'get']);
    assert.equal(await page.evaluate(() => document.querySelectorAll('#traffic canvas').length), 2);
    // What is saved is the order.
    const saved = await page.evaluate(async () => {
      let found;
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        found = blob;
        return make.call(URL, blob);
      };
      document.querySelector('.save').click();
      return found.text();
    });
    assert.equal(saved, await page.evaluate(() => JSON.parse(document.getElementById('plan').textContent).order));
    assert.match(saved, /^halocline order 1\nnodes 4x16\nranks /);
  },

  async traced_levels(page, plan) {
    assert.equal(new Set(plan.results.map(({level}) => level)).size > 1, true);
    assert.match(await page.evaluate(() => document.querySelector('#levels').textContent), /nodes, default/);
  },

  async traced_slower(page) {
    assert.match(await page.evaluate(() => document.querySelector('header').textContent), /keep the default order unless/);
  },

  async nothing_gained(page) {
    assert.match(await page.evaluate(() => document.querySelector('h1').textContent), /^Nothing is to be gained/);
    assert.equal(await page.evaluate(() => document.querySelectorAll('.save').length), 0);
    assert.match(await page.evaluate(() => document.querySelector('#get').textContent), /Keep the ranks in their order/);
  },

  async no_grid(page, plan) {
    assert.equal(plan.grid, null);
    assert.ok(!(await sections(page)).includes('grid'));
    assert.match(await page.evaluate(() => document.querySelector('#matrix').textContent), /A dot is 4 ranks/);
  },
};
