import { createRoot } from 'react-dom/client';
import '../ui/tokens.css';
import { App } from './app.tsx';
import { noAnswerText } from './data/api-error.ts';
import type { shell } from './words/en/shell.ts';
import { loadWords } from './words/words.ts';

void loadWords('shell').then((words) => noAnswerText.set((words as typeof shell).errors.noAnswer));

const place = document.getElementById('root');
if (place !== null) createRoot(place).render(<App />);
