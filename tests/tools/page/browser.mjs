// Chromium without a window, driven over a pipe: opens pages and keeps what they say, throw and ask the network for.

import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';

const patience = 60_000;

export class Browser {
  constructor(executable) {
    this.profile = mkdtempSync(path.join(tmpdir(), 'halocline-page-'));
    // WebGL by the processor; nothing that asks a network for anything.
    this.process = spawn(
      executable,
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-extensions',
        '--hide-scrollbars',
        '--force-device-scale-factor=1',
        `--user-data-dir=${this.profile}`,
        '--remote-debugging-pipe',
        'about:blank',
      ],
      {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']},
    );
    this.process.on('exit', () => this.fail(new Error('the browser has ended')));
    this.waiting = new Map();
    this.listeners = new Map();
    this.last = 0;
    let rest = '';
    this.process.stdio[4].setEncoding('utf8').on('data', (data) => {
      const messages = (rest + data).split('\0');
      rest = messages.pop();
      for (const message of messages) this.hear(JSON.parse(message));
    });
  }

  hear({id, result, error, method, params, sessionId}) {
    if (id === undefined) return this.listeners.get(sessionId)?.(method, params);
    const {resolve, reject} = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  fail(error) {
    for (const {reject} of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.last;
    this.process.stdio[3].write(`${JSON.stringify({id, method, params, sessionId})}\0`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} takes longer than ${patience / 1000} s`)), patience);
      timer.unref();
      this.waiting.set(id, {resolve, reject});
    });
  }

  /** Opens a file and waits until its page says that it has been drawn, or has failed. */
  async open(file, {width = 1280, height = 900, dark = false} = {}) {
    const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
    const page = new Page(this, targetId, sessionId, `file://${path.resolve(file)}`);
    this.listeners.set(sessionId, (method, params) => page.hear(method, params));
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
    await page.send('Emulation.setEmulatedMedia', {
      features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}],
    });
    await page.send('Page.navigate', {url: page.url});
    await page.until(() => document.documentElement?.dataset.ready !== undefined);
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.send('Browser.close').catch(() => {});
    const killer = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(killer);
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
  }
}

class Page {
  constructor(browser, target, session, url) {
    Object.assign(this, {browser, target, session, url, complaints: [], requests: []});
  }

  hear(method, params) {
    if (method === 'Runtime.exceptionThrown')
      this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled') this.complaints.push(params.args.map((arg) => arg.value).join(' '));
    // SwiftShader is slow at reading back what it drew, and says so; a screen's processor does not.
    if (method === 'Log.entryAdded' && !params.entry.text.includes('GPU stall due to ReadPixels'))
      this.complaints.push(params.entry.text);
    if (
      method === 'Network.requestWillBeSent' &&
      params.request.url !== this.url &&
      !params.request.url.startsWith('data:')
    )
      this.requests.push(params.request.url);
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  /** The value of a function that runs in the page. */
  async evaluate(run, ...values) {
    const expression = `(${run})(...${JSON.stringify(values)})`;
    const {result, exceptionDetails} = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(run) {
    const end = Date.now() + patience;
    while (!(await this.evaluate(run))) {
      if (this.complaints.length > 0) throw new Error(this.complaints.join('\n'));
      if (Date.now() > end) throw new Error(`${run} is never true`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Lets the page draw what it has asked to draw. */
  frame() {
    return this.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))),
    );
  }

  async moveTo(x, y) {
    await this.send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
    await this.frame();
  }

  async press(key) {
    await this.send('Input.dispatchKeyEvent', {type: 'keyDown', key, code: key});
    await this.send('Input.dispatchKeyEvent', {type: 'keyUp', key, code: key});
    await this.frame();
  }

  async screenshot(whole = false) {
    const {data} = await this.send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: whole});
    return Buffer.from(data, 'base64');
  }

  close() {
    return this.browser.send('Target.closeTarget', {targetId: this.target});
  }
}
