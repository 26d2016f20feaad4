import { start } from '../start.tsx';
import { method } from './entry.tsx';

void start(method);
