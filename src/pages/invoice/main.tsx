import { type AreaModule, start } from '../start.tsx';
import { invoice } from './entry.tsx';

void start(invoice, import.meta.glob<AreaModule>('../words/invoice/*.ts'));
