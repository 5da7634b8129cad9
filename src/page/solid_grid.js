// SPDX-License-Identifier: BSD-3-Clause
// A grid of three dimensions coloured by node, to be turned, cut open and pulled apart.

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';

import {element} from './dom.js';
import {nodeShifts, triangles, visibleFaces} from './solid_faces.js';
import {colourOf} from './theme.js';

const aspect = 4 / 3;
const mostCellsWithLines = 20000;
const opening = 28; // of the camera, in degrees

/** A place that is at least so far from both ends. */
const inside = (place, end, least) => Math.min(Math.max(place, least), end - least);

/** How all solid grids of the page are looked at: they turn together. */
export class View {
  constructor() {
    Object.assign(this, View.start, {apart: 0, cutDimension: 0, cutShare: 0});
    this.listeners = [];
  }
  static start = {around: 0.6, above: 0.5, distance: 1};
  change(values) {
    Object.assign(this, values);
    this.above = Math.min(Math.max(this.above, -1.5), 1.5);
    this.distance = Math.min(Math.max(this.distance, 0.3), 3);
    for (const listener of this.listeners) listener();
  }
}

export class SolidGrid {
  /** onCell as in FlatGrid; names: of the three dimensions. */
  constructor({label, names, view, onCell}) {
    this.canvas = element('canvas', {
      tabindex: '0',
      role: 'img',
      'aria-label': `${label}. Arrow keys turn it, plus and minus zoom.`,
    });
    // Kept, so that printing finds the picture.
    this.renderer = new WebGLRenderer({canvas: this.canvas, antialias: true, alpha: true, preserveDrawingBuffer: true});
    this.labels = names.map((name) => element('span', {class: 'axis-label'}, name));
    this.frame = element('div', {class: 'solid'}, this.canvas, ...this.labels);
    this.view = view;
    this.onCell = onCell;
    this.camera = new PerspectiveCamera(opening, aspect, 0.1, 100);
    const lamp = new DirectionalLight(0xffffff, 1.5);
    lamp.position.set(-0.6, 1, 0.8);
    this.camera.add(lamp);
    this.scene = new Scene();
    this.scene.add(this.camera, new AmbientLight(0xffffff, 2.1));
    this.mesh = new Mesh(
      new BufferGeometry(),
      new MeshLambertMaterial({vertexColors: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1}),
    );
    // The node that is shown alone, which the others would hide.
    this.alone = new Mesh(new BufferGeometry(), this.mesh.material.clone());
    this.strong = new LineSegments(new BufferGeometry(), new LineBasicMaterial({transparent: true}));
    this.faint = new LineSegments(new BufferGeometry(), new LineBasicMaterial({transparent: true, opacity: 0.28}));
    this.scene.add(this.mesh, this.alone, this.strong, this.faint);
    this.listen();
  }

  /** block: the extents of what a cell stands for, which it is drawn with. */
  show(nodes, extents, block) {
    this.nodes = nodes;
    this.extents = extents;
    this.sizes = extents.map((extent, d) => extent * block[d]);
    for (const object of [this.mesh, this.alone, this.strong, this.faint]) object.scale.set(block[2], block[1], block[0]);
    let most = 0;
    for (const node of nodes) most = Math.max(most, node);
    this.shifts = nodeShifts(nodes, extents, most + 1);
    this.built = '';
  }

  /** isAlone: the node is seen through the others, instead of being brighter where it is at the surface. */
  draw(width, colours, highlighted, isAlone) {
    Object.assign(this, {width, colours, highlighted, isAlone: isAlone && highlighted !== null});
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, Math.round(width / aspect));
    this.build();
    this.paint();
    this.render();
  }

  /** The same with what was given last, for another view. Turning leaves faces and colours as they are. */
  redraw() {
    if (!this.width) return;
    if (this.build()) this.paint();
    this.render();
  }

  /** Makes the faces for the view; false if they are there already. */
  build() {
    const {apart, cutDimension, cutShare} = this.view;
    const wanted = [apart, cutDimension, cutShare, this.isAlone ? this.highlighted : ''].join();
    if (this.built === wanted) return false;
    this.built = wanted;
    const visible = this.extents.map((extent) => [0, extent]);
    // The half that looks at the reader goes first; the last layer stays.
    visible[cutDimension][1] -= Math.round(cutShare * (this.extents[cutDimension] - 1));
    const options = {
      nodes: this.nodes,
      extents: this.extents,
      visible,
      shifts: this.shifts,
      apart,
      faintLines: this.nodes.length <= mostCellsWithLines,
    };
    const set = (object, corners) => {
      object.geometry.dispose();
      object.geometry = new BufferGeometry();
      object.geometry.setAttribute('position', new BufferAttribute(corners, 3));
    };
    const setFaces = (object, faces) => {
      set(object, faces.corners);
      object.geometry.setAttribute('normal', new BufferAttribute(faces.normals, 3));
      object.geometry.setIndex(new BufferAttribute(triangles(faces), 1));
    };
    this.faces = visibleFaces(options);
    setFaces(this.mesh, this.faces);
    this.alone.visible = this.isAlone;
    this.aloneFaces = this.isAlone ? visibleFaces({...options, only: this.highlighted}) : null;
    if (this.isAlone) setFaces(this.alone, this.aloneFaces);
    const lines = this.aloneFaces ?? this.faces;
    set(this.strong, lines.strong);
    set(this.faint, lines.faint);
    return true;
  }

  paint() {
    const faded = new Color(colourOf('--faded'));
    const known = new Map();
    const paintOf = (node) => {
      if (this.highlighted !== null && node !== this.highlighted) return faded;
      if (!known.has(this.colours[node])) known.set(this.colours[node], new Color(this.colours[node]));
      return known.get(this.colours[node]);
    };
    const paintFaces = (object, {cells}) => {
      const colours = new Float32Array(cells.length * 12);
      let at = 0;
      for (const cell of cells) {
        const {r, g, b} = paintOf(this.nodes[cell]);
        for (let corner = 0; corner < 4; ++corner) {
          colours[at++] = r;
          colours[at++] = g;
          colours[at++] = b;
        }
      }
      object.geometry.setAttribute('color', new BufferAttribute(colours, 3));
    };
    paintFaces(this.mesh, this.faces);
    if (this.isAlone) paintFaces(this.alone, this.aloneFaces);
    Object.assign(this.mesh.material, {
      transparent: this.isAlone,
      opacity: this.isAlone ? 0.25 : 1,
      depthWrite: !this.isAlone,
      needsUpdate: true, // another shader draws what is opaque
    });
    this.strong.material.opacity = this.nodes.length <= mostCellsWithLines ? 1 : 0.55; // or lines were all that is seen
    this.strong.material.color.set(colourOf('--node-line'));
    this.faint.material.color.set(colourOf('--node-line'));
  }

  render() {
    const {around, above, distance, apart} = this.view;
    const reach = Math.hypot(...this.sizes) / 2;
    const far = (distance * reach * (1 + apart * 0.8) * 1.06) / Math.sin((opening * Math.PI) / 360);
    this.camera.position.set(
      far * Math.sin(around) * Math.cos(above),
      far * Math.sin(above),
      far * Math.cos(around) * Math.cos(above),
    );
    this.camera.near = far / 100;
    this.camera.far = far * 4;
    this.camera.lookAt(0, 0, 0);
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
    this.placeLabels();
  }

  /** A dimension's name stands outside the edge of the outline that runs along it. */
  placeLabels() {
    const half = this.sizes.map((size) => (size / 2) * (1 + this.view.apart * 0.8));
    const {x, z} = this.camera.position;
    const right = Math.sign(x) || 1;
    const front = Math.sign(z) || 1;
    const edges = [
      new Vector3(right * half[2], -half[1], 0),
      new Vector3(right * half[2], 0, -front * half[0]),
      new Vector3(0, -half[1], front * half[0]),
    ];
    const room = 30; // pixels between the edge and the middle of the text
    edges.forEach((edge, d) => {
      edge.project(this.camera);
      const across = (edge.x * this.width) / 2;
      const down = (-edge.y * this.width) / aspect / 2;
      const away = room / (Math.hypot(across, down) || 1);
      const style = this.labels[d].style;
      style.left = `${inside(this.width / 2 + across * (1 + 1.5 * away), this.width, 36)}px`;
      style.top = `${inside(this.width / aspect / 2 + down * (1 + away), this.width / aspect, 11)}px`;
    });
  }

  listen() {
    const keys = {
      ArrowLeft: {around: -0.1},
      ArrowRight: {around: 0.1},
      ArrowUp: {above: 0.1},
      ArrowDown: {above: -0.1},
    };
    this.canvas.addEventListener('keydown', (event) => {
      const {around = 0, above = 0} = keys[event.key] ?? {};
      const zoom = {'+': 0.9, '=': 0.9, '-': 1 / 0.9}[event.key] ?? 1;
      if (!keys[event.key] && zoom === 1) return;
      event.preventDefault();
      this.turn(around, above, zoom);
    });
    this.canvas.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey) return; // the page scrolls
        event.preventDefault();
        this.turn(0, 0, Math.exp(event.deltaY / 200));
      },
      {passive: false},
    );
    this.canvas.addEventListener('pointerdown', (event) => this.canvas.setPointerCapture(event.pointerId));
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) {
        this.onCell(null);
        this.turn(-event.movementX / 120, event.movementY / 120, 1);
      } else if (!this.asked) {
        this.asked = requestAnimationFrame(() => {
          this.asked = 0;
          this.point(event);
        });
      }
    });
    this.canvas.addEventListener('pointerleave', () => {
      cancelAnimationFrame(this.asked);
      this.asked = 0;
      this.onCell(null);
    });
    this.view.listeners.push(() => {
      this.due ||= requestAnimationFrame(() => {
        this.due = 0;
        this.redraw();
      });
    });
  }

  turn(around, above, zoom) {
    this.view.change({
      around: this.view.around + around,
      above: this.view.above + above,
      distance: this.view.distance * zoom,
    });
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const spot = new Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
    const ray = new Raycaster();
    ray.setFromCamera(spot, this.camera);
    const hit = ray.intersectObject(this.mesh)[0];
    this.onCell(hit ? this.faces.cells[Math.floor(hit.faceIndex / 2)] : null, event.clientX, event.clientY);
  }
}
