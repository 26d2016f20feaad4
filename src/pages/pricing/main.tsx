import { type AreaModule, start } from '../start.tsx';
import { pricing } from './entry.tsx';

void start(pricing, import.meta.glob<AreaModule>('../words/pricing/*.ts'));
