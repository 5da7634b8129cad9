"""Writes the topologies of this folder, as lstopo --of xml would on such nodes: make.py in it. Nodes that nobody has."""

import itertools

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n<topology version="2.0">\n'
GPU, COPROCESSOR, NETWORK, OPENFABRICS = 1, 5, 2, 3


class Node:
    def __init__(self, parts, cores, threads):
        """So many equal parts, each a package (or a NUMA domain of the one package) with so many cores of so many threads."""
        self.numbers = itertools.count(2)
        self.cores, self.threads = cores, threads
        self.parts = parts
        self.devices = [[] for _ in range(parts)]

    def mask(self, cores):
        return sum(1 << cpu for core in cores for cpu in self.cpus(core))

    def cpus(self, core):
        """Second threads are numbered behind all first ones."""
        return [core + thread * self.cores * self.parts for thread in range(self.threads)]

    def sets(self, mask, memories):
        return (f'cpuset="{mask:#x}" complete_cpuset="{mask:#x}" nodeset="{memories:#x}" complete_nodeset="{memories:#x}" '
                f'gp_index="{next(self.numbers)}"')

    def device(self, part, bus, kind, *system_names):
        """On the bridge of a part; kind is a class and the maker's number, names go with their types."""
        inside = "".join(f'<object type="OSDev" gp_index="{next(self.numbers)}" name="{name}" osdev_type="{of}"/>'
                         for name, of in system_names)
        self.devices[part].append((bus, f'<object type="PCIDev" gp_index="{next(self.numbers)}" pci_busid="0000:{bus:02x}:00.0" '
                                        f'pci_type="{kind[0]:04x} [{kind[1]:04x}:0001] [0000:0000] 00" pci_link_speed="0.0">{inside}</object>'))

    def bridge(self, part):
        if not self.devices[part]:
            return ""
        buses = [bus for bus, _ in self.devices[part]]
        inside = "".join(text + "\n" for _, text in self.devices[part])
        return (f'<object type="Bridge" gp_index="{next(self.numbers)}" bridge_type="0-1" depth="0" '
                f'bridge_pci="0000:[{min(buses):02x}-{max(buses):02x}]">\n{inside}</object>\n')

    def part(self, part, is_package):
        cores = range(part * self.cores, (part + 1) * self.cores)
        mask, memory = self.mask(cores), 1 << part
        text = f'<object type="{"Package" if is_package else "Group"}" os_index="{part}" {self.sets(mask, memory)}>\n'
        text += f'<object type="NUMANode" os_index="{part}" {self.sets(mask, memory)} local_memory="1073741824"/>\n'
        text += f'<object type="L3Cache" os_index="{part}" {self.sets(mask, memory)} cache_size="33554432" depth="3" cache_linesize="64" '
        text += 'cache_associativity="16" cache_type="0">\n'
        for core in cores:
            text += f'<object type="Core" os_index="{core}" {self.sets(self.mask([core]), memory)}>'
            text += "".join(f'<object type="PU" os_index="{cpu}" {self.sets(1 << cpu, memory)}/>' for cpu in self.cpus(core))
            text += "</object>\n"
        return text + f"</object>\n{self.bridge(part)}</object>\n"

    def write(self, name, is_package):
        mask, memories = self.mask(range(self.parts * self.cores)), (1 << self.parts) - 1
        inside = "".join(self.part(part, is_package) for part in range(self.parts))
        if not is_package:
            inside = f'<object type="Package" os_index="0" {self.sets(mask, memories)}>\n{inside}</object>\n'
        allowed = f'allowed_cpuset="{mask:#x}" allowed_nodeset="{memories:#x}"'
        with open(name, "w", encoding="utf-8") as file:
            file.write(f'{HEAD}<object type="Machine" os_index="0" {allowed} {self.sets(mask, memories)}>\n{inside}</object>\n</topology>\n')


def two_packages():
    """Four GPUs, the fast NIC at the second package; at the first one the slow NIC and the screen of the board."""
    node = Node(2, 8, 1)
    node.device(0, 0x02, (0x0300, 0x1A03), ("card0", GPU))
    node.device(0, 0x03, (0x0200, 0x8086), ("eth0", NETWORK))
    for gpu in range(4):
        node.device(gpu // 2, 0x10 + 0x20 * (gpu // 2) + gpu % 2, (0x0302, 0x10DE),
                    (f"renderD{128 + gpu}", GPU), (f"cuda{gpu}", COPROCESSOR), (f"nvml{gpu}", GPU))
    node.device(1, 0x38, (0x0207, 0x15B3), ("ib0", NETWORK), ("mlx5_0", OPENFABRICS))
    node.write("two_packages.xml", True)


def four_domains():
    """One package, four memories, two threads a core, GPUs in the reverse order of memories, two NICs."""
    node = Node(4, 4, 2)
    for gpu in range(4):
        node.device(3 - gpu, 0x10 * (1 + gpu), (0x0380, 0x1002), (f"card{gpu}", GPU), (f"renderD{128 + gpu}", GPU))
    for nic, part in enumerate((1, 2)):
        node.device(part, 0x80 + nic, (0x0200, 0x17DB), (f"hsn{nic}", NETWORK))
    node.write("four_domains.xml", False)


two_packages()
four_domains()
