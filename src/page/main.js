// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together out of the plan that it carries, and draws it again when its width or its colours change.

import {element} from './dom.js';
import {planPage} from './plan_page.js';
import {onTheme, startTheme} from './theme.js';
import {placeTip} from './tip.js';
import {tracedPage} from './traced_page.js';

import './styles.css';

const plan = JSON.parse(document.getElementById('plan').textContent);

startTheme();
placeTip();
const {head, sections} = plan.trace === undefined ? planPage(plan) : tracedPage(plan);
const navigation = element(
  'nav',
  {'aria-label': 'Contents'},
  ...sections.map(([name, {node}]) => element('a', {href: `#${node.id}`}, name)),
);
document
  .getElementById('page')
  .replaceChildren(head, navigation, element('main', {}, ...sections.map(([, {node}]) => node)));

const drawAll = () => sections.forEach(([, {draw}]) => draw());
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
