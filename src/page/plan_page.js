// SPDX-License-Identifier: BSD-3-Clause
// The page of a plan for a mesh and a stencil.

import {levelsSection, placementsSection, timeSection} from './charts_section.js';
import {gridsSection} from './grids_section.js';
import {adviceSection, head, packingSection} from './head.js';
import {trafficSection} from './traffic_section.js';

const standing = (node) => ({node, draw: () => {}});

/** The head, and what comes below it: [name in the contents, {node, draw}]. */
export function planPage(plan) {
  let asked = 0;
  const redrawGrids = () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      grids.draw();
    });
  };
  const grids = gridsSection(plan, redrawGrids);
  const sections = [
    ['Grid', grids],
    ['Time', timeSection(plan)],
    ['Levels', levelsSection(plan)],
    ['Between nodes', trafficSection(plan)],
    ['Placements', placementsSection(plan)],
  ];
  if (plan.packing.length > 0) sections.push(['Packing', standing(packingSection(plan))]);
  sections.push(['How to get it', standing(adviceSection(plan))]);
  return {head: head(plan), sections};
}
