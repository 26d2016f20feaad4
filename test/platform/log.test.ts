import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const file = path.resolve(import.meta.dirname, '../../src/platform/log.ts');

test.each(['err', 'error'])(
  'the log includes the message and the stack trace of an error logged as %s',
  (name) => {
    const program = `import { openLog } from ${JSON.stringify(file)}; openLog('error').error({ ${name}: new RangeError('too much') }, 'It failed.');`;
    const line = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect(JSON.parse(line)).toMatchObject({
      msg: 'It failed.',
      [name]: {
        type: 'RangeError',
        message: 'too much',
        stack: expect.stringContaining('RangeError: too much\n'),
      },
    });
  },
);
