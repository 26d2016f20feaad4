import type { AreaModule } from '../start.tsx';
import { start } from '../start.tsx';
import { portal } from './entry.tsx';

void start(portal, import.meta.glob<AreaModule>('../words/portal/*.ts'));
