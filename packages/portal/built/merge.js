const e=(e,n,r)=>{let i={...n},a=[];for(let o of Object.keys({...e,...r,...n}))t(n[o],e[o])?i[o]=r[o]:!t(r[o],e[o])&&!t(n[o],r[o])&&a.push(o);return{values:i,conflicts:a}},t=(e,n)=>{if(e===n)return!0;if(typeof e!=`object`||typeof n!=`object`||e===null||n===null||Array.isArray(e)!==Array.isArray(n))return!1;let[r,i]=[Object.entries(e),Object.entries(n)];if(r.length!==i.length)return!1;let a=new Map(i);return r.every(([e,n])=>a.has(e)&&t(n,a.get(e)))},n=(e,t,n)=>{let[i,a,o]=[e,t,n].map(e=>e.split(`
`)),s=Math.max(a.length,o.length);if(i.length*s>4e6)return null;let[c,l]=[r(i,a),r(i,o)],u=[],[d,f,p]=[0,0,0];for(let e=0;e<=i.length;e+=1){let t=e===i.length,n=t?a.length:c[e],r=t?o.length:l[e];if(n===void 0||r===void 0)continue;let s=i.slice(d,e).join(`
`),[m,h]=[a.slice(f,n),o.slice(p,r)];m.join(`
`)===s?u.push(...h):h.join(`
`)===s||h.join(`
`)===m.join(`
`)?u.push(...m):u.push(...m,...h),t||u.push(i[e]),[d,f,p]=[e+1,n+1,r+1]}return u.join(`
`)},r=(e,t)=>{let n=t.length+1,r=new Uint32Array((e.length+1)*n);for(let i=e.length-1;i>=0;--i)for(let a=t.length-1;a>=0;--a)r[i*n+a]=e[i]===t[a]?r[(i+1)*n+a+1]+1:Math.max(r[(i+1)*n+a],r[i*n+a+1]);let i=Array.from({length:e.length});for(let[a,o]=[0,0];a<e.length&&o<t.length;)e[a]===t[o]?[i[a],a,o]=[o,a+1,o+1]:r[(a+1)*n+o]>=r[a*n+o+1]?a+=1:o+=1;return i};export{n,e as t};