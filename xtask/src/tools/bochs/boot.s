# The first sector of the disk, which loads what the table in it says, and starts the kernel by its protocol of 16 bits
# (Documentation/arch/x86/boot.rst).

.code16
.set buffer, 0x10000
.set most, 64

start:
    cli
    cld
    xorw %ax, %ax
    movw %ax, %ds
    movw %ax, %ss
    movw $start, %sp
    movb %dl, drive
    movb $2, %al
    outb %al, $0x92             # address line 20
    movw $table, %bp

# An entry: first sector, sectors, where to.
entry:
    movl (%bp), %eax
    movl 4(%bp), %ecx
    movl 8(%bp), %edi
    addw $12, %bp
    testl %ecx, %ecx
    jz done

part:
    movl $most, %ebx
    cmpl %ebx, %ecx
    jae 1f
    movl %ecx, %ebx
1:  movl %eax, packet + 8
    movw %bx, packet + 2
    pushal
    movw $packet, %si
    movb drive, %dl
    movb $0x42, %ah
    sti
    int $0x13
    jc failed
    popal

    # The BIOS reads below a megabyte alone. Segments that were loaded in protected mode keep its limit.
    pushl %eax
    cli
    lgdt descriptors
    movl %cr0, %eax
    orb $1, %al
    movl %eax, %cr0
    movw $8, %dx
    movw %dx, %ds
    movw %dx, %es
    andb $0xfe, %al
    movl %eax, %cr0
    xorw %dx, %dx
    movw %dx, %ds
    movw %dx, %es
    pushl %ecx
    movl %ebx, %ecx
    shll $7, %ecx
    movl $buffer, %esi
    addr32 rep movsl
    popl %ecx
    popl %eax

    addl %ebx, %eax
    subl %ebx, %ecx
    jnz part
    jmp entry

done:
    cli
    movw $0x9000, %ax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %fs
    movw %ax, %gs
    movw %ax, %ss
    movw $0xe000, %sp
    ljmp $0x9020, $0

failed:
    hlt
    jmp failed

.balign 8
globals:
    .quad 0
    .quad 0x00cf92000000ffff    # data, four gigabytes
descriptors:
    .word . - globals - 1
    .long globals
packet:
    .byte 16, 0
    .word 0
    .word 0, buffer >> 4
    .quad 0
drive:
    .byte 0

.org 0x1c0
table:
    .fill 48
.org 0x1fe
    .word 0xaa55
