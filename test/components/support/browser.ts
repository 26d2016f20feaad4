import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Emulated browser for component tests. The dashboard reads these values when its modules are loaded.

document.documentElement.lang = 'en';
document.body.dataset['session'] = '';
sessionStorage.setItem('quittance-organization', 'org_1');

/** Socket that never opens, so no live events arrive. */
class SilentSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly readyState = 0;
  close(): void {}
  send(): void {}
}
vi.stubGlobal('WebSocket', SilentSocket);

// Each test replaces the network with its own results. The dashboard sends its first request earlier, when it loads.
vi.stubGlobal('fetch', () => new Promise(() => undefined));

// The timeout is long because the first visit to a page loads its modules.
configure({ asyncUtilTimeout: 30_000 });

afterEach(cleanup);
