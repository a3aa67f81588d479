// Parametric product models and the studio they are photographed in; render.mjs opens this in a browser.
import * as T from 'three'
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js'
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js'

const R = new T.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true })
R.setSize(800, 800)
R.setPixelRatio(1)
R.shadowMap.enabled = true
R.shadowMap.type = T.PCFSoftShadowMap
R.toneMapping = T.ACESFilmicToneMapping
R.toneMappingExposure = 1.05
document.body.append(R.domElement)
const env = new T.PMREMGenerator(R).fromScene(new RoomEnvironment(), 0.03).texture
const paint = (c, o = {}) =>
  new T.MeshPhysicalMaterial({
    color: c,
    metalness: 0.25,
    roughness: 0.28,
    clearcoat: 1,
    clearcoatRoughness: 0.08,
    ...o,
  })
const metal = new T.MeshStandardMaterial({ color: '#c9ccd1', metalness: 1, roughness: 0.22 }),
  dark = new T.MeshStandardMaterial({ color: '#15171a', metalness: 0.5, roughness: 0.45 }),
  rubber = new T.MeshStandardMaterial({ color: '#1b1b1d', roughness: 0.92 })
const V = (x, y, z = 0) => new T.Vector3(x, y, z)
const tube = (g, a, b, r, m, r2 = r) => {
  const d = b.clone().sub(a),
    o = new T.Mesh(new T.CylinderGeometry(r2, r, d.length(), 20), m)
  o.position.copy(a).addScaledVector(d, 0.5)
  o.quaternion.setFromUnitVectors(V(0, 1), d.normalize())
  g.add(o)
  return o
}
const curve = (g, pts, r, m) => {
  const o = new T.Mesh(new T.TubeGeometry(new T.CatmullRomCurve3(pts), 64, r, 14), m)
  g.add(o)
  return o
}
const wheel = (g, x, y, r, tire, spokes, rim = dark) => {
  const w = new T.Group()
  w.position.set(x, y, 0)
  const add = (ge, m) => {
    const o = new T.Mesh(ge, m)
    w.add(o)
    return o
  }
  add(new T.TorusGeometry(r, tire, 20, 128), rubber)
  add(new T.TorusGeometry(r - tire * 1.15, tire * 0.45, 12, 128), rim)
  for (let i = 0; i < spokes; i++) {
    const a = (i / spokes) * Math.PI * 2,
      s = i % 2 ? 1 : -1
    tube(
      w,
      V(Math.cos(a) * 0.03, Math.sin(a) * 0.03, s * 0.035),
      V(Math.cos(a + s * 0.25) * (r - tire), Math.sin(a + s * 0.25) * (r - tire), 0),
      0.0016,
      metal,
    )
  }
  const h = add(new T.CylinderGeometry(0.022, 0.022, 0.1, 20), metal)
  h.rotation.x = Math.PI / 2
  const d = add(new T.CylinderGeometry(0.045, 0.045, 0.003, 48), metal)
  d.rotation.x = Math.PI / 2
  d.position.z = 0.045
  g.add(w)
}
function bicycle({ color = '#c8102e', kind = 'road' }) {
  const g = new T.Group(),
    m = paint(color),
    R0 = kind === 'mini' ? 0.25 : 0.34,
    tire = kind === 'mtb' ? 0.032 : kind === 'road' ? 0.014 : 0.022,
    wb = kind === 'mini' ? 0.47 : 0.5
  wheel(g, -wb, R0, R0, tire, 32, kind === 'road' ? metal : dark)
  wheel(g, wb, R0, R0, tire, 32, kind === 'road' ? metal : dark)
  const bb = V(-0.08, 0.3),
    seat = kind === 'city' || kind === 'mini' ? V(-0.2, 0.72) : V(-0.22, 0.78),
    head = kind === 'mtb' ? V(0.29, 0.78) : V(0.31, 0.83),
    headLo = V(0.345, 0.68),
    rear = V(-wb, R0),
    front = V(wb, R0),
    fr = kind === 'mtb' ? 0.024 : 0.019
  tube(g, bb, seat, fr * 0.85, m)
  if (kind === 'city' || kind === 'mini') curve(g, [headLo.clone().add(V(-0.01, 0.03)), V(0.1, 0.45), bb], fr * 1.1, m)
  else {
    tube(g, V(seat.x + 0.01, seat.y - 0.06), head.clone().add(V(0, -0.05)), fr * 0.9, m)
    tube(g, bb, headLo, fr * 1.2, m)
  }
  tube(g, headLo, head, fr * 1.1, m)
  for (const z of [-0.05, 0.05]) {
    tube(g, bb.clone().setZ(z * 0.5), rear.clone().setZ(z), 0.01, m)
    tube(g, V(seat.x + 0.015, seat.y - 0.09, z * 0.3), rear.clone().setZ(z), 0.008, m)
    tube(
      g,
      headLo.clone().add(V(0.005, -0.03, z * 0.8)),
      front.clone().setZ(z),
      kind === 'mtb' ? 0.018 : 0.012,
      kind === 'mtb' ? dark : m,
    )
  }
  tube(g, headLo.clone().add(V(0.004, -0.03, -0.045)), headLo.clone().add(V(0.004, -0.03, 0.045)), 0.014, m)
  tube(g, seat, seat.clone().add(V(-0.035, 0.12)), 0.013, dark)
  const sd = new T.Mesh(new RoundedBoxGeometry(0.26, 0.035, 0.12, 6, 0.017), rubber)
  sd.position.set(seat.x - 0.05, seat.y + 0.135, 0)
  g.add(sd)
  tube(g, head, head.clone().add(V(-0.01, 0.05)), 0.015, dark)
  const st = head.clone().add(V(0.07, 0.06))
  tube(g, head.clone().add(V(-0.012, 0.05)), st, 0.015, dark)
  if (kind === 'road')
    for (const z of [-1, 1])
      curve(
        g,
        [
          st.clone(),
          st.clone().add(V(0, 0, z * 0.16)),
          st.clone().add(V(0.05, 0, z * 0.2)),
          st.clone().add(V(0.1, -0.03, z * 0.2)),
          st.clone().add(V(0.09, -0.11, z * 0.2)),
          st.clone().add(V(0.0, -0.13, z * 0.2)),
        ],
        0.013,
        rubber,
      )
  else
    for (const z of [-1, 1]) {
      curve(
        g,
        [st.clone(), st.clone().add(V(-0.01, 0.02, z * 0.15)), st.clone().add(V(-0.06, 0.03, z * 0.3))],
        0.012,
        dark,
      )
      tube(g, st.clone().add(V(-0.035, 0.027, z * 0.24)), st.clone().add(V(-0.09, 0.033, z * 0.36)), 0.018, rubber)
    }
  const cr = new T.Mesh(new T.TorusGeometry(0.085, 0.006, 8, 64), dark)
  cr.position.set(bb.x, bb.y, 0.06)
  g.add(cr)
  const cr2 = new T.Mesh(new T.CylinderGeometry(0.08, 0.08, 0.004, 48, 1), metal)
  cr2.rotation.x = Math.PI / 2
  cr2.position.copy(cr.position)
  g.add(cr2)
  tube(g, V(bb.x, bb.y, 0.075), V(bb.x + 0.12, bb.y - 0.11, 0.085), 0.009, dark)
  tube(g, V(bb.x, bb.y, -0.05), V(bb.x - 0.12, bb.y + 0.11, -0.06), 0.009, dark)
  for (const [x, y, z] of [
    [0.12, -0.11, 0.12],
    [-0.12, 0.11, -0.1],
  ]) {
    const p = new T.Mesh(new RoundedBoxGeometry(0.09, 0.018, 0.07, 3, 0.006), dark)
    p.position.set(bb.x + x, bb.y + y, z)
    g.add(p)
  }
  tube(g, V(bb.x, bb.y + 0.085, 0.06), V(rear.x, rear.y + 0.045, 0.05), 0.004, dark)
  tube(g, V(bb.x, bb.y - 0.085, 0.06), V(rear.x, rear.y - 0.045, 0.05), 0.004, dark)
  const cs = new T.Mesh(new T.CylinderGeometry(0.045, 0.025, 0.03, 32), metal)
  cs.rotation.x = Math.PI / 2
  cs.position.set(rear.x, rear.y, 0.045)
  g.add(cs)
  if (kind === 'city' || kind === 'mini') {
    const bk = new T.Group()
    for (let i = 0; i < 5; i++) {
      const o = new T.Mesh(new T.TorusGeometry(0.1 + i * 0.006, 0.004, 6, 48), paint('#a9713d', { metalness: 0 }))
      o.rotation.x = Math.PI / 2
      o.position.y = i * 0.04
      bk.add(o)
    }
    for (let i = 0; i < 18; i++) {
      const a = (i / 18) * 6.283
      tube(
        bk,
        V(Math.cos(a) * 0.1, 0, Math.sin(a) * 0.1),
        V(Math.cos(a) * 0.124, 0.16, Math.sin(a) * 0.124),
        0.003,
        paint('#a9713d', { metalness: 0 }),
      )
    }
    bk.position.set(st.x + 0.15, st.y - 0.16, 0)
    g.add(bk)
  }
  return g
}
function kickboard({ color = '#101418', accent = '#00b7a8' }) {
  const g = new T.Group(),
    m = paint(color),
    a = paint(accent)
  wheel(g, -0.45, 0.12, 0.1, 0.028, 0)
  wheel(g, 0.45, 0.12, 0.1, 0.028, 0)
  const deck = new T.Mesh(new RoundedBoxGeometry(0.66, 0.06, 0.18, 6, 0.028), m)
  deck.position.set(-0.06, 0.15, 0)
  g.add(deck)
  const grip = new T.Mesh(new RoundedBoxGeometry(0.58, 0.006, 0.15, 3, 0.003), rubber)
  grip.position.set(-0.06, 0.183, 0)
  g.add(grip)
  const strip = new T.Mesh(new RoundedBoxGeometry(0.6, 0.012, 0.184, 3, 0.005), a)
  strip.position.set(-0.06, 0.147, 0)
  g.add(strip)
  curve(g, [V(0.25, 0.16), V(0.33, 0.2), V(0.37, 0.3)], 0.03, m)
  tube(g, V(0.45, 0.12, -0.045), V(0.38, 0.28, -0.03), 0.014, m)
  tube(g, V(0.45, 0.12, 0.045), V(0.38, 0.28, 0.03), 0.014, m)
  tube(g, V(0.375, 0.26), V(0.26, 1.05), 0.026, m, 0.022)
  tube(g, V(0.26, 1.05, -0.25), V(0.26, 1.05, 0.25), 0.014, dark)
  for (const z of [-1, 1]) tube(g, V(0.26, 1.05, z * 0.15), V(0.26, 1.05, z * 0.27), 0.02, rubber)
  const disp = new T.Mesh(new RoundedBoxGeometry(0.07, 0.03, 0.07, 4, 0.012), dark)
  disp.position.set(0.25, 1.08, 0)
  g.add(disp)
  const l = new T.Mesh(
    new T.SphereGeometry(0.028, 24, 16),
    new T.MeshStandardMaterial({ color: '#fff', emissive: '#fff', emissiveIntensity: 0.8 }),
  )
  l.position.set(0.3, 0.95, 0)
  g.add(l)
  curve(g, [V(-0.33, 0.2), V(-0.45, 0.27), V(-0.57, 0.2)], 0.02, m)
  return g
}
function scooter({ color = '#9fc9c0' }) {
  const g = new T.Group(),
    m = paint(color),
    seatM = new T.MeshStandardMaterial({ color: '#5a3824', roughness: 0.6 })
  wheel(g, -0.46, 0.2, 0.15, 0.05, 0, metal)
  wheel(g, 0.52, 0.2, 0.15, 0.05, 0, metal)
  const sh = new T.Shape()
  sh.moveTo(-0.75, 0.42)
  sh.bezierCurveTo(-0.74, 0.62, -0.62, 0.7, -0.4, 0.68)
  sh.lineTo(-0.08, 0.66)
  sh.bezierCurveTo(0.0, 0.5, -0.05, 0.34, 0.02, 0.26)
  sh.lineTo(0.3, 0.24)
  sh.bezierCurveTo(0.38, 0.5, 0.4, 0.75, 0.36, 0.95)
  sh.lineTo(0.43, 0.97)
  sh.bezierCurveTo(0.52, 0.7, 0.5, 0.4, 0.42, 0.2)
  sh.lineTo(-0.05, 0.16)
  sh.bezierCurveTo(-0.18, 0.16, -0.2, 0.38, -0.4, 0.4)
  sh.bezierCurveTo(-0.55, 0.42, -0.65, 0.34, -0.75, 0.42)
  const b = new T.Mesh(
    new T.ExtrudeGeometry(sh, {
      depth: 0.2,
      bevelEnabled: true,
      bevelSize: 0.045,
      bevelThickness: 0.07,
      bevelSegments: 12,
      curveSegments: 40,
    }),
    m,
  )
  b.position.z = -0.1
  g.add(b)
  const seat = new T.Mesh(new RoundedBoxGeometry(0.62, 0.09, 0.27, 8, 0.045), seatM)
  seat.position.set(-0.37, 0.76, 0)
  g.add(seat)
  tube(g, V(0.52, 0.2, 0.09), V(0.42, 0.55, 0.06), 0.022, metal)
  tube(g, V(0.52, 0.2, -0.09), V(0.42, 0.55, -0.06), 0.022, metal)
  tube(g, V(0.4, 0.92), V(0.34, 1.1), 0.03, m)
  curve(g, [V(0.3, 1.14, -0.3), V(0.36, 1.12, -0.12), V(0.36, 1.12, 0.12), V(0.3, 1.14, 0.3)], 0.015, metal)
  for (const z of [-1, 1]) tube(g, V(0.315, 1.135, z * 0.2), V(0.295, 1.145, z * 0.33), 0.022, rubber)
  const l = new T.Mesh(
    new T.SphereGeometry(0.075, 32, 24),
    new T.MeshPhysicalMaterial({
      color: '#fff7e0',
      roughness: 0.05,
      clearcoat: 1,
      emissive: '#ffeeb8',
      emissiveIntensity: 0.25,
    }),
  )
  l.scale.x = 0.6
  l.position.set(0.42, 1.07, 0)
  g.add(l)
  const f = new T.Mesh(new T.TorusGeometry(0.22, 0.05, 16, 48, 2.2), m)
  f.rotation.z = 0.5
  f.position.set(0.52, 0.2, 0)
  f.scale.z = 2
  g.add(f)
  for (const z of [-0.26, 0.26]) {
    tube(g, V(0.34, 1.13, z), V(0.3, 1.28, z * 1.1), 0.006, metal)
    const mi = new T.Mesh(new T.SphereGeometry(0.05, 24, 16), dark)
    mi.scale.x = 0.35
    mi.position.set(0.3, 1.31, z * 1.1)
    g.add(mi)
  }
  return g
}
function juice({ color = '#ff8a1f', name = '오렌지' }) {
  const g = new T.Group()
  const pts = [
    [0, 0],
    [0.14, 0],
    [0.155, 0.02],
    [0.155, 0.42],
    [0.15, 0.48],
    [0.1, 0.58],
    [0.075, 0.63],
    [0.075, 0.7],
  ].map((p) => new T.Vector2(...p))
  const liq = new T.Mesh(
    new T.LatheGeometry(
      pts.slice(0, 6).map((p) => new T.Vector2(p.x * 0.95, p.y * 0.98 + 0.006)),
      64,
    ),
    new T.MeshPhysicalMaterial({ color, roughness: 0.35, clearcoat: 0.4 }),
  )
  g.add(liq)
  g.add(
    new T.Mesh(
      new T.LatheGeometry(pts, 64),
      new T.MeshPhysicalMaterial({
        color: '#fff',
        transparent: true,
        opacity: 0.22,
        roughness: 0.03,
        clearcoat: 1,
        side: T.DoubleSide,
      }),
    ),
  )
  const cap = new T.Mesh(new T.CylinderGeometry(0.085, 0.085, 0.08, 48), paint('#f6f3ee', { metalness: 0 }))
  cap.position.y = 0.73
  g.add(cap)
  const c = document.createElement('canvas')
  c.width = 1024
  c.height = 512
  const x = c.getContext('2d')
  x.fillStyle = '#fffaf0'
  x.fillRect(0, 0, 1024, 512)
  x.fillStyle = color
  x.beginPath()
  x.arc(512, 190, 90, 0, 7)
  x.fill()
  x.fillStyle = '#2a2a2a'
  x.textAlign = 'center'
  x.font = '800 92px "Noto Sans CJK KR", NanumGothic'
  x.fillText(name, 512, 380)
  x.font = '500 44px "Noto Sans CJK KR"'
  x.fillText('착즙 주스 250ml', 512, 450)
  const t = new T.CanvasTexture(c)
  t.colorSpace = T.SRGBColorSpace
  t.anisotropy = 8
  const lb = new T.Mesh(
    new T.CylinderGeometry(0.157, 0.157, 0.3, 64, 1, true, -Math.PI / 2 - 0.1, Math.PI + 0.2),
    new T.MeshStandardMaterial({ map: t, roughness: 0.6 }),
  )
  lb.position.y = 0.22
  lb.rotation.y = 0.15
  g.add(lb)
  g.scale.setScalar(1.35)
  return g
}
const make = { bicycle, kickboard, scooter, juice, set }
// Products beside each other; long ones behind each other.
function set({ parts }) {
  const g = new T.Group()
  let at = 0
  for (const { kind, options } of parts) {
    const one = make[kind](options)
    const axis = kind === 'juice' ? 'x' : 'z'
    const box = new T.Box3().setFromObject(one)
    one.position[axis] += at - box.min[axis]
    at += box.max[axis] - box.min[axis] + (axis === 'x' ? 0.06 : 0.3)
    g.add(one)
  }
  return g
}
window.shoot = (kind, opt, az = 0.45, el = 0.22) => {
  const s = new T.Scene()
  s.background = new T.Color('#ffffff')
  s.environment = env
  s.environmentIntensity = 0.75
  const g = make[kind](opt)
  g.traverse((o) => {
    o.castShadow = o.receiveShadow = true
  })
  s.add(g)
  const box = new T.Box3().setFromObject(g),
    c = box.getCenter(V(0, 0)),
    rad = box.getSize(V(0, 0)).length() / 2
  const fl = new T.Mesh(new T.PlaneGeometry(40, 40), new T.ShadowMaterial({ opacity: 0.28 }))
  fl.rotation.x = -Math.PI / 2
  fl.receiveShadow = true
  s.add(fl)
  const k = new T.DirectionalLight('#fff', 2.2)
  k.position.set(-1.4, 3.2, 2.2)
  k.castShadow = true
  k.shadow.mapSize.set(2048, 2048)
  k.shadow.radius = 9
  k.shadow.blurSamples = 20
  Object.assign(k.shadow.camera, { left: -2, right: 2, top: 2, bottom: -2 })
  k.shadow.bias = -0.0004
  s.add(k)
  const cam = new T.PerspectiveCamera(26, 1, 0.1, 50),
    d = (rad / Math.sin((13 * Math.PI) / 180)) * (kind === 'juice' ? 1.08 : 0.86)
  cam.position.set(c.x + d * Math.sin(az) * Math.cos(el), c.y + d * Math.sin(el), c.z + d * Math.cos(az) * Math.cos(el))
  cam.lookAt(c)
  R.render(s, cam)
  return R.domElement.toDataURL('image/webp', 0.86)
}
window.ready = document.fonts.load('800 20px "Noto Sans CJK KR"').then(() => true)
