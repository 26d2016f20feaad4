import { type AreaModule, start } from '../start.tsx';
import { login } from './entry.tsx';

void start(login, import.meta.glob<AreaModule>('../words/login/*.ts'));
