// Before the program: the key is read, and what the tests use cannot be replaced. console.assert
// ends the process: node's own only prints, so that every program would pass. The key comes last, after
// what node:test prints.
const microcoderFinish = (() => {
  const load = typeof require === 'undefined' ? process.getBuiltinModule : require;
  const { readFileSync, writeSync } = load('fs');
  const key = readFileSync(0, 'utf8'), on = process.on.bind(process), exit = process.reallyExit.bind(process);
  Object.freeze(load('assert'));
  Object.freeze(load('assert').strict);
  const report = (isTrue, ...data) => {
    if (isTrue) return;
    writeSync(2, `${['Assertion failed', ...data].join(': ')}\n`);
    exit(1);
  };
  Object.defineProperty(console, 'assert', { value: report, writable: false, configurable: false });
  return () => { on('exit', () => { writeSync(1, key); }); };
})();
