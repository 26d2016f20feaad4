import { start } from '../start.tsx';
import { checkout } from './entry.tsx';

void start(checkout);
