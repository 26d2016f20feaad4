import { type AreaModule, start } from '../start.tsx';
import { invitation } from './entry.tsx';

void start(invitation, import.meta.glob<AreaModule>('../words/account/*.ts'));
