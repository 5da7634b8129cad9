// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together out of the plan that it carries, and draws it again when its width or its colours change.

import {levelsSection, placementsSection, timeSection} from './charts_section.js';
import {element} from './dom.js';
import {gridsSection} from './grids_section.js';
import {adviceSection, head, packingSection} from './head.js';
import {onTheme, startTheme} from './theme.js';
import {placeTip} from './tip.js';
import {trafficSection} from './traffic_section.js';

import './styles.css';

const plan = JSON.parse(document.getElementById('plan').textContent);
const page = document.getElementById('page');

let asked = 0;
const redrawGrids = () => {
  asked ||= requestAnimationFrame(() => {
    asked = 0;
    grids.draw();
  });
};

startTheme();
placeTip();
const grids = gridsSection(plan, redrawGrids);
const sections = [grids, timeSection(plan), levelsSection(plan), trafficSection(plan), placementsSection(plan)];
const packing = plan.packing.length > 0 ? [packingSection(plan)] : [];
const navigation = element(
  'nav',
  {'aria-label': 'Contents'},
  ...[
    ['grids', 'Grid'],
    ['time', 'Time'],
    ['levels', 'Levels'],
    ['traffic', 'Between nodes'],
    ['placements', 'Placements'],
    ...packing.map(() => ['packing', 'Packing']),
    ['get', 'How to get it'],
  ].map(([id, name]) => element('a', {href: `#${id}`}, name)),
);
page.replaceChildren(
  head(plan),
  navigation,
  element('main', {}, ...sections.map(({node}) => node), ...packing, adviceSection(plan)),
);

const drawAll = () => sections.forEach(({draw}) => draw());
drawAll();
onTheme(drawAll);
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  drawAll();
});
document.getElementById('foot-version').textContent = `Written by halocline ${plan.version}.`;
document.documentElement.dataset.ready = '';
