import { start } from '../start.tsx';
import { view } from './entry.tsx';

void start({ view });
