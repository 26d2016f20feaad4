import './enums.ts';
import './types.ts';
