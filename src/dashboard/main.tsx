import { createRoot } from 'react-dom/client';
import '../ui/tokens.css';
import { App } from './app.tsx';
import { noAnswerText } from './data/api-error.ts';
import { hasSession } from './data/place.ts';
import { router } from './router.tsx';
import { preloadPage } from './router-address.ts';
import { loadWords, type Words } from './words/words.ts';

/** Renders the dashboard after the messages of its frame are loaded, so that the first render isn't suspended. */
async function start(place: HTMLElement): Promise<void> {
  const [words] = await Promise.all([loadWords('shell'), loadWords('titles'), loadWords('kit')]);
  noAnswerText.set((words as Words['shell']).errors.noAnswer);
  createRoot(place).render(<App />);
}

if (hasSession) preloadPage(router, location.pathname);
const place = document.getElementById('root');
if (place !== null) void start(place);
