import { type AreaModule, start } from '../start.tsx';
import { pay } from './entry.tsx';

void start(pay, import.meta.glob<AreaModule>('../words/link/*.ts'));
