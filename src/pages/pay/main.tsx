import { type CatalogModule, start } from '../start.tsx';
import { pay } from './entry.tsx';

void start(pay, import.meta.glob<CatalogModule<unknown>>('../words/*/link.json'));
