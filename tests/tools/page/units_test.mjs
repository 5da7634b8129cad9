// Numbers in words, as the page has them: the functions themselves, without a browser.
// Usage: units_test.mjs UNITS_JS

import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';

const {asFastAs, ratioText} = await import(pathToFileURL(process.argv[2]));

for (const [seconds, others, text] of [
  [2, 3.26, '1.63 times as fast as'],
  [2, 1, '0.5 times as fast as'],
  [3, 3, 'as fast as'],
  [0, 0, 'as fast as'],
  [1, 1.004, 'as fast as'],
  [1, 0.9996, 'as fast as'],
  [1, 1.006, '1.01 times as fast as'],
  [1, 0.9994, '0.999 times as fast as'],
])
  assert.equal(asFastAs(seconds, others), text);

for (const [plan, usual, text] of [
  [5, 5, 'the same'],
  [0, 5, 'none is left'],
  [5, 0, 'the default has none'],
  [1000, 1004, 'about the same'],
  [1004, 1000, 'about the same'],
  [1000, 1006, '1.01\u00d7 less'],
  [1006, 1000, '1.01\u00d7 more'],
])
  assert.equal(ratioText(plan, usual), text);
