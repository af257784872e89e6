/** Apart, so that the declarations of what is exported need none of Node. */
import type { LookupFunction } from 'node:net';

/** Whatever is below `localhost`, for sockets. */
export const lookUpHere: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};
