import { createRoot } from 'react-dom/client';
import '../ui/tokens.css';
import { App } from './app.tsx';
import { noAnswerText } from './data/api-error.ts';
import { hasSession } from './data/place.ts';
import { router } from './router.tsx';
import { preloadPage } from './router-address.ts';
import type { shell } from './words/en/shell.ts';
import { loadWords } from './words/words.ts';

/** Draws the dashboard once the words of the frame are there, so that nothing has to wait for them while it is drawn. */
async function start(place: HTMLElement): Promise<void> {
  const [words] = await Promise.all([loadWords('shell'), loadWords('titles'), loadWords('kit')]);
  noAnswerText.set((words as typeof shell).errors.noAnswer);
  createRoot(place).render(<App />);
}

if (hasSession) preloadPage(router, location.pathname);
const place = document.getElementById('root');
if (place !== null) void start(place);
