// What is tried on single pages: pointer, keys, sliders, other themes and widths.

import assert from 'node:assert/strict';
import {statSync} from 'node:fs';

/** What the page shows, as it is drawn. */
export const shown = () => ({
  title: document.title,
  verdict: document.querySelector('h1').textContent,
  tiles: Object.fromEntries(
    [...document.querySelectorAll('.tile')].map((tile) => [
      tile.dataset.tile,
      Number(tile.querySelector('.value').dataset.value),
    ]),
  ),
  bars: [...document.querySelectorAll('.bar')].map((bar) => ({
    chart: bar.closest('.chart').dataset.chart,
    ...bar.dataset,
    width: bar.getBoundingClientRect().width,
  })),
  overflow: document.scrollingElement.scrollWidth - innerWidth,
  tables: [...document.querySelectorAll('details.numbers')].map((details) => {
    details.fill();
    return [...details.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent));
  }),
  canvases: [...document.querySelectorAll('canvas')].map((canvas) => {
    const copy = document.createElement('canvas');
    Object.assign(copy, {width: canvas.width, height: canvas.height});
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0);
    const colours = new Map();
    for (const colour of new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer))
      colours.set(colour, (colours.get(colour) ?? 0) + 1);
    return {
      section: canvas.closest('section').id,
      colours: colours.size,
      largest: Math.max(...colours.values()) / (copy.width * copy.height),
    };
  }),
});

const tip = (page) =>
  page.evaluate(() => {
    const box = document.querySelector('.tip');
    return box.hidden ? null : [...box.children].map((line) => line.textContent);
  });

const picture = (page, selector) => page.evaluate((wanted) => document.querySelector(wanted).toDataURL(), selector);

/** Where an element is in the window, in the middle of which it is brought. */
const boxOf = (page, selector) =>
  page.evaluate((wanted) => {
    const found = document.querySelector(wanted);
    found.scrollIntoView({behavior: 'instant', block: 'center'});
    const {left, top, width, height} = found.getBoundingClientRect();
    return {left, top, width, height};
  }, selector);

/** A pair of nodes that send each other something is drawn and told; one that does not is neither. */
async function expectHeatMap(page, plan) {
  const {groups, pairs} = await page.evaluate(
    () => JSON.parse(document.getElementById('plan').textContent).pictures.plan.traffic,
  );
  const sent = new Map();
  for (let i = 0; i < pairs.length; i += 4) sent.set(`${pairs[i]} ${pairs[i + 1]}`, pairs.slice(i + 2, i + 4));
  const box = await boxOf(page, '#traffic [data-plan=plan] canvas');
  const side = box.height - 34 - 6; // as heat_map.js lays it out
  const points = [];
  for (let from = 0; from < groups; ++from)
    for (let to = 0; to < groups; ++to) {
      const [x, y] = [46 + ((to + 0.5) * side) / groups, 34 + ((from + 0.5) * side) / groups];
      await page.moveTo(box.left + x, box.top + y);
      const found = sent.get(`${from} ${to}`);
      const number = (value) => value.toLocaleString('en').replaceAll(',', '\u202f');
      assert.deepEqual(await tip(page), [
        `node ${from} to node ${to}`,
        found ? `${number(found[1])} bytes in ${number(found[0])} blocks` : 'nothing',
      ]);
      points.push([Math.round(x), Math.round(y), found ? 'drawn' : 'empty']);
    }
  const colours = await page.evaluate((wanted) => {
    const canvas = document.querySelector('#traffic [data-plan=plan] canvas');
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return wanted.map(([x, y]) => data.slice((y * canvas.width + x) * 4, (y * canvas.width + x) * 4 + 4).join());
  }, points);
  const of = (kind) => new Set(colours.filter((_, i) => points[i][2] === kind));
  assert.equal(of('empty').size, 1);
  assert.ok(of('drawn').size > 0 && ![...of('empty')].some((colour) => of('drawn').has(colour)));
  assert.equal(plan.problem.nodes, groups);
}

export const checks = {
  /** The pointer on a cell tells its node, and so do the keys. */
  async plane(page, {plan, hosts}) {
    const box = await boxOf(page, '#grids [data-plan=plan] canvas');
    const [rows, columns] = plan.plan.grid;
    for (const [row, column] of [
      [0, 0],
      [1, columns - 1],
      [rows - 1, 0],
      [rows - 1, columns - 1],
      [rows >> 1, columns >> 1],
    ]) {
      await page.moveTo(box.left + ((column + 0.5) * box.width) / columns, box.top + ((row + 0.5) * box.height) / rows);
      const node = Number(hosts[row * columns + column].slice(1));
      assert.deepEqual((await tip(page)).slice(0, 2), [`node ${node}`, `cell (${row}, ${column})`]);
    }
    await page.moveTo(1, 1);
    assert.equal(await tip(page), null);
    await page.evaluate(() => document.querySelector('[data-plan=plan] canvas').focus());
    await page.press('ArrowRight');
    await page.press('ArrowDown');
    assert.deepEqual((await tip(page)).slice(0, 2), [`node ${Number(hosts[columns + 1].slice(1))}`, 'cell (1, 1)']);
    await page.evaluate(() => document.querySelector('#time .bar[data-value]:not([data-value="0"])').focus());
    assert.equal((await tip(page))[0], 'default');
    await expectHeatMap(page, plan);
    // Another theme and a narrow window: nothing sticks out.
    const before = await picture(page, '[data-plan=plan] canvas');
    await page.evaluate(() => document.querySelector('.theme').click());
    assert.notEqual(await picture(page, '[data-plan=plan] canvas'), before);
    await page.send('Emulation.setDeviceMetricsOverride', {
      width: 420,
      height: 800,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await page.frame();
    assert.equal((await page.evaluate(shown)).overflow, 0);
  },

  /** Keys turn the grid; sliders pull it apart and cut it; one node alone can be seen. */
  async uneven(page, {plan, hosts}) {
    const canvas = '#grids [data-plan=plan] canvas';
    const pictures = new Set([await picture(page, canvas)]);
    await page.evaluate((wanted) => document.querySelector(wanted).focus(), canvas);
    for (const key of ['ArrowLeft', 'ArrowUp', '+']) {
      await page.press(key);
      pictures.add(await picture(page, canvas));
    }
    for (const [name, value] of [
      ['apart', '0.7'],
      ['cutShare', '0.5'],
      ['node', '3'],
      ['apart', '0'],
    ]) {
      await page.evaluate(
        (wanted, to) => {
          const input = document.querySelector(`input[name=${wanted}]`);
          input.value = to;
          input.dispatchEvent(new Event('input'));
        },
        name,
        value,
      );
      await page.frame();
      pictures.add(await picture(page, canvas));
    }
    assert.equal(pictures.size, 8);
    await page.evaluate(() =>
      [...document.querySelectorAll('button')].find((b) => b.textContent === 'Reset view').click(),
    );
    const box = await boxOf(page, canvas);
    for (const across of [0.44, 0.5, 0.56]) {
      await page.moveTo(box.left + across * box.width, box.top + box.height / 2);
      await page.frame();
      const [node, cell] = await tip(page);
      const index = cell.match(/\d+/g).reduce((sum, at, d) => sum * plan.plan.grid[d] + Number(at), 0);
      assert.equal(node, `node ${Number(hosts[index].slice(1))}`);
    }
  },

  /** A node inside the block is seen through the others; the slowest one is shown in each grid. */
  async inside(page, {plan, hosts}) {
    const canvas = '#grids [data-plan=plan] canvas';
    const {grid} = plan.plan;
    const atBorder = new Set();
    hosts.forEach((host, index) => {
      const at = grid.map((extent, d) => Math.floor(index / grid.slice(d + 1).reduce((a, b) => a * b, 1)) % extent);
      if (at.some((coordinate, d) => coordinate === 0 || coordinate === grid[d] - 1)) atBorder.add(host);
    });
    const hidden = [...new Set(hosts)].filter((host) => !atBorder.has(host)).map((host) => Number(host.slice(1)));
    assert.ok(hidden.length >= 2, `${hidden}`);
    const pictures = new Set();
    for (const node of hidden) {
      await page.evaluate((wanted) => {
        const input = document.querySelector('input[name=node]');
        input.value = wanted;
        input.dispatchEvent(new Event('input'));
      }, node);
      await page.frame();
      pictures.add(await picture(page, canvas));
    }
    assert.equal(pictures.size, hidden.length);
    const both = ['plan', 'default'].map((whose) => `#grids [data-plan=${whose}] canvas`);
    const press = (text) =>
      page.evaluate((wanted) => [...document.querySelectorAll('button')].find((b) => b.textContent === wanted).click(), text);
    await press('All nodes');
    await page.frame();
    const all = [await picture(page, both[0]), await picture(page, both[1])];
    await press('Slowest node');
    await page.frame();
    for (const i of [0, 1]) assert.notEqual(await picture(page, both[i]), all[i]);
  },

  async odd_hosts(page, {plan}) {
    assert.equal(await page.evaluate(() => document.querySelectorAll('img').length), 0);
    const hosts = (await page.evaluate(shown)).tables[0].slice(1).map((row) => row[1]);
    assert.deepEqual(hosts, plan.problem.hosts);
  },

  async levels(page) {
    const text = await page.evaluate(() => document.querySelector('.problem').textContent);
    assert.match(text, /out of a node [^;]*; inside one package 50\sns a message, 20\sGB\/s/);
  },

  async four(page) {
    const canvas = '#grids [data-plan=plan] canvas';
    const before = await picture(page, canvas);
    await page.evaluate(() => {
      const slider = document.querySelector('[data-plan=plan] input[name=slice0]');
      slider.value = slider.max;
      slider.dispatchEvent(new Event('input'));
    });
    await page.frame();
    assert.notEqual(await picture(page, canvas), before);
  },

  async large(page, {file}) {
    assert.ok(statSync(file).size < 5e6, `${statSync(file).size} bytes`);
    assert.match(await page.evaluate(() => document.querySelector('#grids').textContent), /stands for/);
    assert.match(await page.evaluate(() => document.querySelector('#traffic').textContent), /3 consecutive nodes/);
  },

  async without_default(page) {
    assert.match(await page.evaluate(() => document.querySelector('header').textContent), /no default to compare with/);
  },
};
