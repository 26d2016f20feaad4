import { type AreaModule, start } from '../start.tsx';
import { recover } from './entry.tsx';

void start(recover, import.meta.glob<AreaModule>('../words/card/*.ts'));
