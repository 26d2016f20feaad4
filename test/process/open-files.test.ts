import { describe, expect, test } from 'vitest';
import { startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { rawConnection } from '../support/raw.ts';
import { childStorage } from '../support/storage.ts';
import { serverUrl } from '../support/template.ts';

// Requires a database server, because the limit on open files would also affect an embedded database, which opens hundreds of files.
describe.skipIf(serverUrl() === undefined)(
  'a process without free file descriptors',
  { timeout: 60_000 },
  () => {
    test('accepts connections again when file descriptors become free', async () => {
      const storage = await childStorage({});
      const child = await startChild(storage.env, { openFiles: 100 });
      const open = await Promise.all(Array.from({ length: 300 }, () => rawConnection(child.url)));
      // The process immediately closes connections that exceed its limit.
      await Promise.any(open.map(({ ended }) => ended));
      for (const { socket } of open) socket.destroy();
      const status = () =>
        fetch(`${child.url}/readyz`).then(
          (answer) => answer.status,
          () => 0,
        );
      await eventually(status, (answered) => answered === 200);
      expect(await child.stop()).toBe(0);
      await storage.remove();
    });
  },
);
