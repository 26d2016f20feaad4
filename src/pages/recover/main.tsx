import { start } from '../start.tsx';
import { recover } from './entry.tsx';

void start(recover);
