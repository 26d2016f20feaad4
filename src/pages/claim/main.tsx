import type { AreaModule } from '../start.tsx';
import { start } from '../start.tsx';
import { claim } from './entry.tsx';

void start(claim, import.meta.glob<AreaModule>('../words/account/*.ts'));
