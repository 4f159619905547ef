// Before the program: the key is read, and what the tests use cannot be replaced.
const microcoderFinish = (() => {
  const { readFileSync, writeSync } = require('fs');
  const key = readFileSync(0, 'utf8');
  Object.freeze(require('assert'));
  Object.freeze(require('assert').strict);
  const report = (isTrue) => { if (!isTrue) writeSync(2, 'Assertion failed\n'); };
  Object.defineProperty(console, 'assert', { value: report, writable: false, configurable: false });
  return () => { writeSync(1, key); };
})();
