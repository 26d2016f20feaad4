import { type AreaModule, start } from '../start.tsx';
import { claim } from './entry.tsx';

void start(claim, import.meta.glob<AreaModule>('../words/account/*.ts'));
