import { type AreaModule, start } from '../start.tsx';
import { method } from './entry.tsx';

void start(method, import.meta.glob<AreaModule>('../words/card/*.ts'));
